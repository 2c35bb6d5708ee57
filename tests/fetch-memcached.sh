#!/usr/bin/env bash
# Puts the memcacheds that the tests run against under .cache at the top of the repository:
#
#     .cache/memcached-1.6.18    Debian 12's, which can't append or create in one round trip
#     .cache/memcached-1.6.38    Debian 13's, which can
#     .cache/memcached-1.6.45    that of forky, the testing suite, which parses requests anew and has a proxy built in
#
# Each is started as <folder>/memcached. Nothing is installed and no root is needed: where the machine's own memcached
# is not of that version, the package is taken from the Debian mirror that the machine is configured for, and unpacked
# with the libraries of its own Debian beside it. Says nothing where both are there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

# is <version> <folder> tells whether the memcached in the folder is of that version.
is() { [ "$("$2/memcached" -V 2>/dev/null)" = "memcached $1" ]; }

# own <version> <folder> makes the folder stand for the machine's memcached, if that is of the version.
own() {
    [ "$(memcached -V 2>/dev/null)" = "memcached $1" ] || return 0
    mkdir -p "$2"
    printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v memcached)" >"$2/memcached"
    chmod 755 "$2/memcached"
}

for version in 1.6.18 1.6.38 1.6.45; do
    is $version "$cache/memcached-$version" || own $version "$cache/memcached-$version"
done
fetch memcached-1.6.18 'is 1.6.18' 'launcher usr/bin/memcached' \
    bookworm memcached libc6 libevent-2.1-7 libsasl2-2 libssl3
fetch memcached-1.6.38 'is 1.6.38' 'launcher usr/bin/memcached' \
    trixie memcached libc6 libevent-2.1-7t64 libsasl2-2 libssl3t64 libzstd1 zlib1g
fetch memcached-1.6.45 'is 1.6.45' 'launcher usr/bin/memcached' \
    forky memcached libc6 libevent-2.1-7t64 liblua5.4-0 libsasl2-2 libssl3t64 libzstd1 zlib1g
