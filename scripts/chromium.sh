#!/bin/sh
# Prints the path of a Chromium for the browser tests. Installs Debian's when
# there is none and the package manager may be used; otherwise says in one line
# what to install.
set -eu

find_browser() {
	for name in chromium chromium-browser google-chrome; do
		if command -v "$name"; then
			return 0
		fi
	done
	return 1
}

if find_browser; then
	exit 0
fi
as_root=""
if [ "$(id -u)" != 0 ]; then
	if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		as_root="sudo -n"
	else
		echo "no Chromium found; install it with: sudo apt-get install chromium" >&2
		exit 1
	fi
fi
if ! command -v apt-get >/dev/null; then
	echo "no Chromium found; install Chromium with your system's package manager" >&2
	exit 1
fi
echo "installing Chromium with apt-get for the browser tests" >&2
$as_root apt-get update -q >&2
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y --no-install-recommends \
	chromium fonts-dejavu-core >&2
if ! find_browser; then
	echo "no Chromium found after installing the package chromium" >&2
	exit 1
fi
