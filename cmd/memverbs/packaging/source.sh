#!/usr/bin/env bash
# Puts a source package for Debian into dist: the repository at this commit with the modules that are in the program, in
# vendor, and the folder debian at its top. dpkg-buildpackage makes the package of it, without a network.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"
. $packaging/install.sh
install_missing dpkg-dev

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$work/source/memverbs-$debian_version
mkdir -p "$source"
git archive HEAD | tar -x -C "$source"

# add_modules puts the modules into vendor. Those that only tests or tools have are left out: they are four times as much,
# and the copyright file would have to name them.
add_modules() {
    local module
    (cd "$source" && go mod vendor && mv vendor all)
    mkdir "$source/vendor"
    mv "$source/all/modules.txt" "$source/vendor"
    for module in $(go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}' ./cmd/memverbs | sort -u); do
        mkdir -p "$source/vendor/${module%/*}"
        mv "$source/all/$module" "$source/vendor/$module"
    done
    rm -r "$source/all"
}

add_modules
archive "$work/source" | xz -T1 >"$work/memverbs_$debian_version.orig.tar.xz"
cp -r $packaging/debian "$source/debian"
write_changelog "$source/debian" "$debian_version-1"
(cd "$work" && dpkg-source -b "$source") >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
for file in "$work"/memverbs_*; do
    mv "$file" "$dist"
    echo "$dist/${file##*/}"
done
