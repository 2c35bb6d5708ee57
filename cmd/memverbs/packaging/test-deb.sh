#!/usr/bin/env bash
# Installs, upgrades, removes and purges the package in a Debian of its own, which is booted for that: it has a systemd
# and a memcached, and nothing of it outlives the test. Before, lintian, mandoc and systemd-analyze look at the package.
# Needs root, or sudo. The Debian is put under .cache at the top of the repository, the same release as the machine's.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"
. $packaging/install.sh
. $packaging/booted.sh
install_missing mmdebstrap

work=$(mktemp -d)
trap 'end_debian; rm -rf "$work"' EXIT
make_debian debian "$(. /etc/os-release && echo "$VERSION_CODENAME")" \
    --variant=minbase --include=systemd,systemd-sysv,lintian,mandoc,memcached

echo '== two packages, one newer than the other, with other settings'
architecture=$(dpkg --print-architecture)
DIST=$work VERSION=1.0.0 $packaging/deb.sh "$architecture"
DIST=$work VERSION=1.0.1 $packaging/deb.sh "$architecture"
newer=$work/memverbs_1.0.1_$architecture.deb
dpkg-deb -R "$newer" "$work/newer"
echo '# A newer remark.' >>"$work/newer/etc/memverbs/memverbs.yml"
dpkg-deb --root-owner-group -b "$work/newer" "$newer" >/dev/null

boot_debian debian $packaging/test-deb-inside.sh "$work"/*.deb
inside /test/test-deb-inside.sh
echo 'The package can be installed, upgraded, removed and purged.'
