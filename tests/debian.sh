# What the scripts that fetch something for the tests share: taking packages from any release of Debian and unpacking
# them under .cache at the top of the repository, without installing them and without being root. To be sourced.
cache=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/.cache

# fetch <name> <ready> <arrange> <release> <package>...
#
# Makes .cache/<name> out of the packages of a release, or of one source package, src:<package>. ready and arrange are
# commands to which a folder is added: ready tells whether it is as it should be, and arrange makes it so after the
# packages have been unpacked there. Says nothing where .cache/<name> is ready.
fetch() {
    local name=$1 ready=$2 arrange=$3
    shift 3
    ! $ready "$cache/$name" || return 0

    mkdir -p "$cache"
    work=$(mktemp -d "$cache/fetch.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$work/root"
    if ! { unpack "$@" && $arrange "$work/root" && $ready "$work/root"; } >"$work/log" 2>&1; then
        mv "$work/log" "$cache/$name.log"
        echo "$name could not be fetched with this machine's apt sources; $cache/$name.log says why" >&2
        exit 1
    fi
    replace "$work/root" "$cache/$name"
    rm -rf "$cache/$name.log" "$work"
}

# replace puts a folder in the place of another.
replace() {
    rm -rf "$2"
    mv -T "$1" "$2"
}

# unpack fetches the packages named of a release and unpacks them into $work/root.
unpack() {
    local release=$1 mirror
    shift
    for mirror in $(mirrors); do
        case $1 in
        src:*) ! unpack_source "$mirror" "$release" "${1#src:}" || return 0 ;;
        *) ! unpack_debs "$mirror" "$release" "$@" || return 0 ;;
        esac
    done
    echo "tried with $release: $(mirrors | tr '\n' ' ')"
    return 1
}

# unpack_debs unpacks what Debian has built.
unpack_debs() {
    update deb "$1" "$2" && (cd "$work/debs" && private_apt download "${@:3}") || return 1
    for deb in "$work"/debs/*.deb; do
        dpkg -x "$deb" "$work/root"
    done
}

# unpack_source unpacks the archive of a source package that its authors have released, without Debian's changes.
unpack_source() {
    update deb-src "$1" "$2" && (cd "$work/debs" && private_apt source --download-only --tar-only "$3") || return 1
    tar -xf "$work"/debs/*.orig.tar.* -C "$work/root" --strip-components=1
}

# update fetches the signed list of the packages, of type deb or deb-src, that a release has on a mirror.
update() {
    local keyring signed=
    for keyring in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
        [ ! -e "$keyring" ] || signed="[signed-by=$keyring]"
    done
    echo "$1 $signed $2 $3 main" >"$work/sources.list"
    private_apt update
}

# mirrors prints what the machine gets its own Debian from. apt is asked, since it knows both formats of its sources.
mirrors() {
    apt-get update --print-uris -o Dir::State::lists="$work/lists" |
        sed -n "s|^'\(.*\)/dists/\([^/]*\)/InRelease'.*|\1 \2|p" |
        grep -E " ($(. /etc/os-release && echo "${VERSION_CODENAME:-}")|oldoldstable|oldstable|stable|testing|sid)$" |
        cut -d ' ' -f 1 | sort -u
}

# What apt does here, it does in a folder of its own.
private_apt() {
    apt-get -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State::lists="$work/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$work/cache" \
        -o APT::Sandbox::User=root -o Acquire::Languages=none "$@"
}

# launcher <program> <folder> writes <folder>/<name of the program>, which becomes the program that was unpacked there,
# under its own dynamic linker and with its own libraries.
launcher() {
    local program=$1 root=$2 linker triple
    linker=$(cd "$root" && find . -path './*lib/*/ld-linux*.so.*' | head -n 1)
    triple=$(basename "$(dirname "$linker")")
    cat >"$root/${program##*/}" <<LAUNCHER
#!/bin/sh
root=\$(cd "\${0%/*}" && pwd)
exec "\$root/$linker" --library-path "\$root/lib/$triple:\$root/usr/lib/$triple" "\$root/$program" "\$@"
LAUNCHER
    chmod 755 "$root/${program##*/}"
}
