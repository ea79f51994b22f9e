#!/bin/sh
# What the programs are made of: every module is the one that its checksum names, no
# vulnerability that is known reaches our code, licences are listed, and the same sources
# make the same bytes. Arguments choose parts: modules, vulnerabilities, licences, build.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}

[ $# -gt 0 ] || set -- modules vulnerabilities licences build

modules() {
	for dir in . tools/audit tools/lint tools/test; do
		verified=$(cd "$dir" && "$go" mod verify)
		echo "modules of $dir: $verified"
	done
}

vulnerabilities() {
	if ! bin=$("$go" tool -modfile=tools/audit/go.mod -n govulncheck); then
		echo 'vulnerabilities: skipped, govulncheck cannot be built here'
		return
	fi
	said=$(mktemp)
	for system in "js wasm ./cmd/strandscope ./cmd/strandtool" "linux amd64 ./cmd/strandsim ./scripts/..."; do
		# shellcheck disable=SC2086 # words
		set -- $system
		os=$1 arch=$2
		shift 2
		if GOOS=$os GOARCH=$arch "$bin" "$@" >"$said" 2>&1; then
			echo "vulnerabilities ($os): $(tail -n 1 "$said")"
		elif grep -q 'fetching vulnerabilities' "$said"; then
			echo "vulnerabilities ($os): skipped, the database is out of reach ($(tail -n 1 "$said"))"
		else
			cat "$said"
			rm -f "$said"
			return 1
		fi
	done
	rm -f "$said"
}

licences() {
	"$go" run ./scripts/licences -check
	echo 'licences: up to date'
}

build() {
	sh scripts/reproduce.sh
}

for part in "$@"; do
	case $part in
	modules | vulnerabilities | licences | build) "$part" ;;
	*)
		echo "audit: no part $part; there are modules, vulnerabilities, licences, build" >&2
		exit 2
		;;
	esac
done
