#!/usr/bin/env bash
# What test-deb.sh does with the packages beside this script, in a Debian that it has booted.
set -euo pipefail
cd "$(dirname "$0")"
settings=/etc/memverbs/memverbs.yml
unit=/lib/systemd/system/memverbs.service
trap 'echo "failed: $BASH_COMMAND"; systemctl status --no-pager memverbs || true; journalctl --no-pager -n 30 || true' ERR

# await <command>... waits until the command succeeds.
await() {
    for _ in $(seq 300); do
        ! "$@" || return 0
        sleep 0.1
    done
    echo "in vain waited for: $*" >&2
    return 1
}

# fails <command>... tells whether the command fails.
fails() {
    if "$@" >/dev/null 2>&1; then
        echo "unexpected success: $*" >&2
        return 1
    fi
}

# ask <request> sends memverbs a request and prints its answer, until memverbs hangs up.
ask() {
    {
        printf '%s\r\nquit\r\n' "$1" >&3
        tr -d '\r' <&3
    } 3<>/dev/tcp/127.0.0.1/11311
}

# says <answer> <request> tells whether a line of the answer to the request is as expected.
says() { ask "$2" 2>/dev/null | grep -xF "$1" >/dev/null; }

# The logs, and what dpkg, man and systemd note for themselves, are not the package's.
files() { find / -xdev -not -path '/proc/*' -not -path '/var/log/*' -not -path '/var/cache/man/*' -not -path '/var/lib/dpkg/*' -not -path '/var/lib/systemd/timers/*' | sort; }

echo '== lintian'
lintian --allow-root --fail-on error,warning --tag-display-limit 0 memverbs_1.0.0_*.deb

echo '== install'
systemctl restart memcached
files >/run/before
dpkg -i memverbs_1.0.0_*.deb
await says STORED 'sadd fruits apple pear'
await says 'apple pear' 'smembers fruits'
says 'STAT memverbs_version 1.0.0' stats
systemctl is-enabled --quiet memverbs
memverbs check $settings

echo '== the manual page'
mandoc -T lint -W warning <(zcat /usr/share/man/man1/memverbs.1.gz)

echo '== the unit'
systemd-analyze verify $unit
systemd-analyze security --no-pager --threshold=20 memverbs | tail -n 1

echo '== reload'
cp -p $settings /run/settings
echo 'max-clients: 66' >>$settings
systemctl reload memverbs
await says 'STAT max_connections 66' stats
echo 'max-clients: many' >>$settings
fails systemctl reload memverbs
says STORED 'sadd fruits plum'
cp -p /run/settings $settings

echo '== a unix socket for a group'
sed -i 's|^    listen: .*|    listen: ["unix:/run/memverbs/main.sock"]\n    socket-mode: "0770"|' $settings
mkdir /etc/systemd/system/memverbs.service.d
printf '[Service]\nGroup=www-data\n' >/etc/systemd/system/memverbs.service.d/group.conf
systemctl daemon-reload
systemctl restart memverbs
await test -S /run/memverbs/main.sock
stat -c '%A %G' /run/memverbs/main.sock | grep -x 'srwxrwx--- www-data'
rm -r /etc/systemd/system/memverbs.service.d
cp -p /run/settings $settings
systemctl daemon-reload
systemctl restart memverbs

echo '== upgrade, with settings of our own'
echo 'max-clients: 77' >>$settings
dpkg -i --force-confdef memverbs_1.0.1_*.deb
await says 'STAT memverbs_version 1.0.1' stats
says 'STAT max_connections 77' stats
says 'apple pear plum' 'smembers fruits'
grep -q newer $settings.dpkg-dist

echo '== remove'
dpkg -r memverbs
fails systemctl is-active memverbs
fails says STORED 'sadd fruits fig'
grep -q 'max-clients: 77' $settings

echo '== purge'
dpkg -P memverbs
files | diff /run/before -
fails systemctl cat memverbs
fails id memverbs
