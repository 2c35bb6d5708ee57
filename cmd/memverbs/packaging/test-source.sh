#!/usr/bin/env bash
# Builds the package from the source package with Debian's own tools and its Go, where there is no network, and runs what
# comes out. The Debian is forky, the first release whose Go is new enough; it is put under .cache at the top of the
# repository. Needs root, or sudo.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"
. $packaging/install.sh
. $packaging/booted.sh
install_missing mmdebstrap

work=$(mktemp -d)
trap 'end_debian; rm -rf "$work"' EXIT
make_debian forky forky \
    --variant=buildd --include=systemd,systemd-sysv,memcached,golang-any,debhelper,lintian,devscripts

DIST=$work VERSION=1.2.3 $packaging/source.sh
boot_debian forky $packaging/test-source-inside.sh "$work"/memverbs_*
inside /test/test-source-inside.sh
echo 'The source package makes the package.'
