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

# main <property> prints a property of the service.
main() { systemctl show -P "$1" memverbs; }

# ends <status> tells whether the last start of the service has ended with this exit status.
ends() { [ "$(main ExecMainStatus)" = "$1" ]; }

# warns <words> tells whether a line of the service's log, of warnings and errors only, has these words.
warns() { journalctl --no-pager -q -o cat -p warning -u memverbs | grep -F "$1" >/dev/null; }

# shows <password> sends it as that of the user ann, and is how a client begins.
shows() { printf 'set any 0 0 %d\r\n%s' $((4 + ${#1})) "ann $1"; }

# overrides <line>... makes these lines the service's own settings, as systemctl edit does.
overrides() {
    mkdir -p /etc/systemd/system/memverbs.service.d
    printf '%s\n' '[Service]' "$@" >/etc/systemd/system/memverbs.service.d/override.conf
    systemctl daemon-reload
}

# restores puts the settings and the service back.
restores() {
    rm -rf /etc/systemd/system/memverbs.service.d
    cp -p /run/settings $settings
    systemctl daemon-reload
    systemctl restart memverbs
}

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

echo '== the manual pages, the documents and the settings'
for page in man1/memverbs.1 man5/memverbs.yml.5; do
    mandoc -T lint -W warning <(zcat /usr/share/man/$page.gz)
done
test -s /usr/share/doc/memverbs/README.md
test -s /usr/share/doc/memverbs/cmd/memverbs/README.md
test -s /usr/share/memverbs/memverbs.rules.yml
test -s /usr/share/memverbs/memverbs.dashboard.json
memverbs example | cmp - $settings

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

echo '== an outage in the journal'
fails warns 'upstream is down'
systemctl kill -s STOP memcached
await warns 'upstream is down'
journalctl --no-pager -q -p warning -u memverbs
fails warns 'msg=ready'
fails warns 'time='
systemctl kill -s CONT memcached
await says STORED 'sadd fruits plum'

echo '== a file that is wrong, and is mended'
echo 'max-clients: many' >>$settings
for _ in $(seq 7); do
    fails systemctl restart memverbs
done
ends 78
systemctl is-failed --quiet memverbs
[ "$(main NRestarts)" = 0 ]
warns 'max-clients: "many" is not a whole number'
cp -p /run/settings $settings
systemctl start memverbs
await says 'apple pear plum' 'smembers fruits'

echo '== an address that is there later'
sed -i 's|^    listen: .*|    listen: ["127.0.0.1:11411"]|' $settings
memcached -u memcache -l 127.0.0.1 -p 11411 -P /run/other.pid -d
for _ in $(seq 7); do
    fails systemctl restart memverbs
done
ends 75
await [ "$(main SubState)" = auto-restart ]
kill "$(cat /run/other.pid)"
await systemctl is-active --quiet memverbs
restores

echo '== secrets that a group may read'
groupadd --system memverbs-secrets
(umask 077 && echo 'ann:first' >/etc/memverbs/users)
sed -i 's|^    #auth-file: .*|    auth-file: /etc/memverbs/users|' $settings
fails systemctl restart memverbs
ends 75
warns 'cannot read /etc/memverbs/users: permission denied'
chgrp memverbs-secrets /etc/memverbs/users
chmod 0640 /etc/memverbs/users
overrides SupplementaryGroups=memverbs-secrets
systemctl restart memverbs
await says STORED "$(shows first)"
says 'CLIENT_ERROR unauthenticated' 'get k'
echo 'ann:second' >/etc/memverbs/users
systemctl reload memverbs
await says STORED "$(shows second)"

echo '== secrets that only root may read'
chown root:root /etc/memverbs/users
chmod 0600 /etc/memverbs/users
sed -i 's|^    auth-file: .*|    auth-file: /run/credentials/memverbs.service/users|' $settings
overrides LoadCredential=users:/etc/memverbs/users
systemctl restart memverbs
await says STORED "$(shows second)"
rm /etc/memverbs/users
groupdel memverbs-secrets
restores

echo '== a unix socket for a group'
sed -i 's|^    listen: .*|    listen: ["unix:/run/memverbs/main.sock"]\n    socket-mode: "0770"|' $settings
overrides Group=www-data
systemctl restart memverbs
await test -S /run/memverbs/main.sock
stat -c '%A %G' /run/memverbs/main.sock | grep -x 'srwxrwx--- www-data'
restores

echo '== upgrade, with settings of our own, while clients connect all the time'
echo 'max-clients: 77' >>$settings
since=$(main ActiveEnterTimestampMonotonic)
(
    while [ ! -e /run/upgraded ]; do
        ask version 2>&1 | grep '^VERSION ' >/dev/null || echo refused >>/run/refused
    done
) &
clients=$!
dpkg -i --force-confdef memverbs_1.0.1_*.deb
await says 'STAT memverbs_version 1.0.1' stats
touch /run/upgraded
wait "$clients"
[ ! -e /run/refused ]
[ "$(main ActiveEnterTimestampMonotonic)" = "$since" ] # handed over, not restarted
systemctl is-active --quiet memverbs
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
