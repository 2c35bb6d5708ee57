#!/usr/bin/env bash
# Installs, upgrades, removes and purges the package in a Debian of its own, which is booted for that: it has a systemd
# and a memcached, and nothing of it outlives the test. Before, lintian, mandoc and systemd-analyze look at the package.
# Needs root, or sudo. The Debian is put under .cache at the top of the repository, the same release as the machine's.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"
. $packaging/install.sh
. tests/debian.sh
install_missing mmdebstrap

work=$(mktemp -d)
trap 'end; rm -rf "$work"' EXIT
cgroup=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)/memverbs-test-$$
booted=

# end ends the Debian that was booted: all its processes are children of one.
end() {
    [ -z "$booted" ] || kill -KILL "$booted"
    [ -z "$booted" ] || wait "$booted" 2>/dev/null || true
    for _ in $(seq 100); do
        [ -e "$cgroup" ] || return 0
        find "$cgroup" -depth -type d -exec rmdir {} \; 2>/dev/null || sleep 0.1 # the last of them are ending
    done
}

if [ ! -e "$cache/debian" ]; then
    echo '== a Debian'
    mkdir -p "$cache" "$work/lists/partial"
    mmdebstrap --variant=minbase --include=systemd,systemd-sysv,lintian,mandoc,memcached \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/debian" $(mirrors)
    mv "$work/debian" "$cache/debian"
fi

echo '== two packages, one newer than the other, with other settings'
architecture=$(dpkg --print-architecture)
DIST=$work VERSION=1.0.0 $packaging/deb.sh "$architecture"
DIST=$work VERSION=1.0.1 $packaging/deb.sh "$architecture"
newer=$work/memverbs_1.0.1_$architecture.deb
dpkg-deb -R "$newer" "$work/newer"
echo '# A newer remark.' >>"$work/newer/etc/memverbs/memverbs.yml"
dpkg-deb --root-owner-group -b "$work/newer" "$newer" >/dev/null

echo '== boot'
mkdir "$work/root" "$work/changes" "$cgroup"
(
    echo "$BASHPID" >"$cgroup/cgroup.procs"
    exec unshare --mount --pid --fork --ipc --uts --net --cgroup --kill-child \
        $packaging/boot.sh "$cache/debian" "$work/changes" "$work/root" $packaging/test-deb-inside.sh "$work"/*.deb
) >"$work/log" 2>&1 &
booted=$!
for _ in $(seq 600); do
    init=$(pgrep -P "$booted" || true)
    [ -z "$init" ] || [ ! -S "/proc/$init/root/run/systemd/private" ] || break
    sleep 0.1
done
[ -S "/proc/$init/root/run/systemd/private" ] || { cat "$work/log"; exit 1; }
nsenter -t "$init" -a -r -w /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin /test/test-deb-inside.sh
echo 'The package can be installed, upgraded, removed and purged.'
