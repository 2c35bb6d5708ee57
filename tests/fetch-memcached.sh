#!/usr/bin/env bash
# Puts the two memcacheds that the tests run against under .cache at the top of the repository:
#
#     .cache/memcached-1.6.18    Debian 12's, which can't append or create in one round trip
#     .cache/memcached-1.6.38    Debian 13's, which can
#
# Each is started as <folder>/memcached. Nothing is installed and no root is needed: where the machine's own memcached
# is not of that version, the package is taken from the Debian mirror that the machine is configured for, and unpacked
# with the libraries of its own Debian beside it. Says nothing where both are there already.
set -euo pipefail
umask 022

cache=$(cd "$(dirname "$0")/.." && pwd)/.cache

# What apt does here, it does in a folder of its own.
private_apt() {
    apt-get -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$work/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$work/cache" \
        -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}

# mirrors prints what the machine gets its own Debian from. apt is asked, since it knows both formats of its sources.
mirrors() {
    apt-get update --print-uris -o Dir::State::lists="$work/lists" |
        sed -n "s|^'\(.*\)/dists/\([^/]*\)/InRelease'.*|\1 \2|p" |
        grep -E " ($(. /etc/os-release && echo "${VERSION_CODENAME:-}")|oldoldstable|oldstable|stable|testing|sid)$" |
        cut -d ' ' -f 1 | sort -u
}

# unpack fetches the packages named of a suite and unpacks them into $work/root.
unpack() {
    local suite=$1 mirror keyring signed=
    shift
    for keyring in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
        [ ! -e "$keyring" ] || signed="[signed-by=$keyring]"
    done
    for mirror in $(mirrors); do
        echo "deb $signed $mirror $suite main" >"$work/sources.list"
        if private_apt update && (cd "$work/debs" && private_apt download "$@"); then
            for deb in "$work"/debs/*.deb; do
                dpkg -x "$deb" "$work/root"
            done
            return 0
        fi
    done
    echo "tried with $suite: $(mirrors | tr '\n' ' ')"
    return 1
}

# launcher writes $work/root/memcached, which becomes the memcached that was unpacked, under its own dynamic linker.
launcher() {
    local linker triple
    linker=$(cd "$work/root" && find . -path './*lib/*/ld-linux*.so.*' | head -n 1)
    triple=$(basename "$(dirname "$linker")")
    cat >"$work/root/memcached" <<LAUNCHER
#!/bin/sh
root=\$(cd "\${0%/*}" && pwd)
exec "\$root/$linker" --library-path "\$root/lib/$triple:\$root/usr/lib/$triple" "\$root/usr/bin/memcached" "\$@"
LAUNCHER
    chmod 755 "$work/root/memcached"
}

fetch() {
    local version=$1 target=$cache/memcached-$1
    shift
    [ "$("$target/memcached" -V 2>/dev/null)" != "memcached $version" ] || return 0

    mkdir -p "$cache"
    work=$(mktemp -d "$cache/fetch.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
    : >"$work/log"
    if [ "$(memcached -V 2>/dev/null)" = "memcached $version" ]; then
        printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v memcached)" >"$work/root/memcached"
        chmod 755 "$work/root/memcached"
    elif unpack "$@" >"$work/log" 2>&1; then
        launcher
    fi
    if [ "$("$work/root/memcached" -V 2>&1)" != "memcached $version" ]; then
        mv "$work/log" "$target.log"
        echo "memcached $version could not be fetched with this machine's apt sources; $target.log says why" >&2
        exit 1
    fi
    rm -rf "$target"
    mv -T "$work/root" "$target"
    rm -f "$target.log"
    rm -rf "$work"
}

fetch 1.6.18 bookworm memcached libc6 libevent-2.1-7 libsasl2-2 libssl3
fetch 1.6.38 trixie memcached libc6 libevent-2.1-7t64 libsasl2-2 libssl3t64 libzstd1 zlib1g
