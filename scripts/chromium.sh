#!/bin/sh
# Prints the path of a Chromium for the browser tests. Installs Debian's when
# there is none and the package manager may be used; otherwise says in one line
# what to install. Debian's build without windows comes with it if it can: most
# tests take two thirds of the time in that.
set -eu

find_browser() {
	for name in chromium chromium-browser google-chrome; do
		if command -v "$name"; then
			return 0
		fi
	done
	return 1
}

as_root=""
may_install() {
	command -v apt-get >/dev/null || return 1
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null && sudo -n true 2>/dev/null || return 1
		as_root="sudo -n"
	fi
}

install() {
	DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y --no-install-recommends "$@" >&2
}

if find_browser >/dev/null; then
	if ! command -v chromium-headless-shell >/dev/null && may_install; then
		install chromium-headless-shell ||
			{ $as_root apt-get update -q >&2 && install chromium-headless-shell; } ||
			echo "without chromium-headless-shell the browser tests take longer" >&2
	fi
	find_browser
	exit 0
fi
if ! command -v apt-get >/dev/null; then
	echo "no Chromium found; install Chromium with your system's package manager" >&2
	exit 1
fi
if ! may_install; then
	echo "no Chromium found; install it with: sudo apt-get install chromium" >&2
	exit 1
fi
echo "installing Chromium with apt-get for the browser tests" >&2
$as_root apt-get update -q >&2
install chromium fonts-dejavu-core
install chromium-headless-shell || echo "without chromium-headless-shell the browser tests take longer" >&2
if ! find_browser; then
	echo "no Chromium found after installing the package chromium" >&2
	exit 1
fi
