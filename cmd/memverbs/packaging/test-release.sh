#!/usr/bin/env bash
# Builds everything that is released twice, in two clones of the repository with caches of their own, and sees that it
# comes out equal, and that the version is that of the tag.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commit=$(git rev-parse HEAD) # which may change before the second clone is made
for clone in first second/deeper; do
    git clone -q . "$work/$clone"
    git -C "$work/$clone" checkout -q "$commit"
    git -C "$work/$clone" tag v1.2.3
    (
        cd "$work/$clone"
        GOCACHE=$work/cache
        export GOCACHE
        $packaging/release.sh
        $packaging/image.sh
        $packaging/chart.sh
        $packaging/deb.sh
        $packaging/source.sh
        rm -rf "$GOCACHE"
    ) >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    (cd "$work/$clone/dist" && sha256sum *) | tee "$work/sums-${clone%/*}"
done
cmp "$work/sums-first" "$work/sums-second"
[ "$("$work/first/dist/memverbs-1.2.3-linux-$(go env GOARCH)" --version | cut -d ' ' -f 2)" = 1.2.3 ]
echo 'Two builds are equal.'
