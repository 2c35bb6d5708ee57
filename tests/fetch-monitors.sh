#!/usr/bin/env bash
# Puts programs that watch a memcached under .cache/monitors at the top of the repository, from the machine's own release
# of Debian, whose Perl they need: Munin's plugin, collectd, memcached-tool. Nothing is installed or started, and no root
# is needed. Says nothing where they are there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

# perl_libraries <folder> prints where the Perl modules that were unpacked there are, as PERL5LIB takes it.
perl_libraries() { echo "$1/usr/share/perl5:$(echo "$1"/usr/lib/*/perl5/5.*)"; }

are_monitors() {
    "$1/collectd" -h >/dev/null 2>&1 &&
        PERL5LIB=$(perl_libraries "$1") perl -MCache::Memcached -MURI::Escape -e 1 2>/dev/null &&
        [ -e "$1/munin-memcached" ] && [ -e "$1/memcached-tool" ] && [ -e "$1/perl5lib" ]
}

arrange_monitors() {
    launcher usr/sbin/collectd "$1"
    cp "$1/usr/share/munin/plugins/memcached_" "$1/munin-memcached"
    cp "$1/usr/share/memcached/scripts/memcached-tool" "$1/memcached-tool"
    (cd "$1" && perl_libraries . >perl5lib)
}

fetch monitors are_monitors arrange_monitors "$(. /etc/os-release && echo "$VERSION_CODENAME")" \
    munin-plugins-extra libcache-memcached-perl libstring-crc32-perl \
    collectd-core libc6 libcap2 \
    memcached liburi-perl
