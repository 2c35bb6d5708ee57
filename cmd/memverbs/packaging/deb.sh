#!/usr/bin/env bash
# Builds the packages for Debian into dist, for amd64 and arm64, or for the architectures that are arguments. debhelper
# makes them; it is installed if it is missing.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"
. $packaging/install.sh
install_missing debhelper fakeroot

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# arrange <architecture> puts together what debian/rules packages, and its changelog.
arrange() {
    mkdir -p "$work/$1/doc" "$work/$1/monitoring"
    cp -r $packaging/debian "$work/$1"
    git ls-files -z -- '*.md' '*.png' | xargs -0 cp --parents -t "$work/$1/doc" # as a tree, so that their links lead on
    cp $packaging/monitoring/memverbs.* "$work/$1/monitoring"
    build linux "$1" "$work/$1/memverbs"
    $packaging/derive.sh "$work/own" "$work/$1"
    write_changelog "$work/$1/debian" "$debian_version"
}

build "" "" "$work/own"
[ $# -gt 0 ] || set -- amd64 arm64
for architecture in "$@"; do
    arrange "$architecture"
    if ! (cd "$work/$architecture" && DEB_HOST_ARCH=$architecture debian/rules binary) >"$work/log" 2>&1; then
        cat "$work/log" >&2
        exit 1
    fi
done
for deb in "$work"/*.deb; do
    mv "$deb" "$dist"
    echo "$dist/${deb##*/}"
done
