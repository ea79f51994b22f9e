#!/bin/sh
# Prints the path of axe-core, the accessibility audit of the browser tests, at the
# version in tools/axe. Fetches it with npm, which is installed with Debian's package
# manager when it is missing and that may be used; otherwise says in one line what
# to install.
set -eu

cd "$(dirname "$0")/.."
axe="build/axe/node_modules/axe-core/axe.min.js"
lock="build/axe/package-lock.json"

if [ -f "$axe" ] && cmp -s tools/axe/package-lock.json "$lock"; then
	echo "$PWD/$axe"
	exit 0
fi
if ! command -v npm >/dev/null; then
	as_root=""
	if [ "$(id -u)" != 0 ]; then
		if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
			echo "no npm found; install it with: sudo apt-get install npm" >&2
			exit 1
		fi
		as_root="sudo -n"
	fi
	if ! command -v apt-get >/dev/null; then
		echo "no npm found; install Node.js and npm with your system's package manager" >&2
		exit 1
	fi
	echo "installing npm with apt-get for the accessibility audit" >&2
	$as_root apt-get update -q >&2
	DEBIAN_FRONTEND=noninteractive $as_root apt-get install -q -y --no-install-recommends npm >&2
fi
mkdir -p build/axe
cp tools/axe/package.json tools/axe/package-lock.json build/axe/
npm ci --prefix build/axe --ignore-scripts --no-audit --no-fund --loglevel=error >&2
if [ ! -f "$axe" ]; then
	echo "no $axe after npm ci" >&2
	exit 1
fi
echo "$PWD/$axe"
