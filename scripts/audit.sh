#!/bin/sh
# What the programs are made of: every module is the one that its checksum names, no
# vulnerability that is known reaches our code, licences are listed, and the same sources
# make the same bytes.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}

for dir in . tools/audit tools/lint tools/test; do
	echo "modules of $dir:"
	(cd "$dir" && "$go" mod verify)
done

echo 'vulnerabilities:'
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for system in "js wasm ./cmd/strandscope ./cmd/strandtool" "linux amd64 ./cmd/strandsim ./scripts/..."; do
	# shellcheck disable=SC2086 # words
	set -- $system
	os=$1 arch=$2
	shift 2
	bin=$("$go" tool -modfile=tools/audit/go.mod -n govulncheck)
	if GOOS=$os GOARCH=$arch "$bin" "$@" >"$said" 2>&1; then
		cat "$said"
	elif grep -q 'fetching vulnerabilities' "$said"; then
		echo "skipped for $os: the database is out of reach ($(tail -n 1 "$said"))"
	else
		cat "$said"
		exit 1
	fi
done

echo 'licences:'
"$go" run ./scripts/licences -check && echo 'up to date'

sh scripts/reproduce.sh
