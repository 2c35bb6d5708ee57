#!/usr/bin/env bash
# Builds a static binary for each system into dist, and SHA256SUMS of them. Two builds of one commit by the same version
# of Go are equal, wherever they are made.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"

binaries=()
for system in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64; do
    binary=memverbs-$version-${system/\//-}
    build "${system%/*}" "${system#*/}" "$dist/$binary"
    binaries+=("$binary")
done
cp $packaging/debian/copyright "$dist/COPYRIGHT"
cd "$dist"
sha256sum "${binaries[@]}" | tee SHA256SUMS
