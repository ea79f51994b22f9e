#!/bin/sh
# The same sources make the same bytes: builds the page's programs in another folder,
# with nothing that was built before, and compares them with those of this one.
set -eu
cd "$(dirname "$0")/.."
echo 'reproducible build:'
make -s wasm >/dev/null
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf - | tar -C "$there" -xf -
(cd "$there" && GOCACHE="$there/cache" GOFLAGS=-p=2 make -s wasm >/dev/null)
for name in strandscope strandtool; do
	for ending in '' .gz; do
		cmp "build/$name.wasm$ending" "$there/build/$name.wasm$ending"
	done
	echo "$name.wasm: $(sha256sum <"build/$name.wasm" | cut -d ' ' -f 1)"
done
