#!/usr/bin/env bash
# libmemcached's command line tools: libmemcached-tools.sh <host:port> [binary [refused]]
#
# memcp of libmemcached is called memccp in Debian, and so on. Left out are memcdump, which asks a single memcached for
# its list of keys, and whatever takes --udp.
# memcping, memcstat and memcaslap can't show a password.
set -uo pipefail

export MEMCACHED_SERVERS=$1
past=-1
not_replaced='NOT STORED'
not_added='NOT STORED'
refused='SERVER ERROR, upstream'
if [ "${2:-}" = binary ]; then
    with=(--binary)
    [ -z "${MEMCACHED_USERNAME:-}" ] || with+=(--username="$MEMCACHED_USERNAME" --password="$MEMCACHED_PASSWORD")
    for tool in memccp memccat memcexist memctouch memcrm memcflush memcslap; do
        eval "$tool() { command $tool \"\${with[@]}\" \"\$@\"; }"
    done
    for tool in memcaslap memcstat; do
        eval "$tool() { command $tool --binary \"\$@\"; }"
    done
    past=1000000000 # the exptime of a packet has no sign
    not_replaced='NOT FOUND'
    not_added='CONNECTION DATA EXISTS'
    refused='UNKNOWN READ FAILURE' # as which it takes the status 0x86
fi
checks=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit

echo "libmemcached-tools $(memccat --version | sed -n 's/.*(libmemcached v\(.*\))/\1/p')"

check() { # operation, expected, got
    checks=$((checks + 1))
    if [ "$3" != "$2" ]; then
        printf 'libmemcached-tools: %s: expected %.200q, got %.200q\n' "$1" "$2" "$3" >&2
        exit 1
    fi
}

# does runs a command and tells its exit status behind what it said.
does() { "$@" 2>&1; printf '%s' "($?)"; }

# store writes a file, and its content under its name to the server.
store() { # name, content
    printf '%s' "$2" >"$1"
    check "memccp $1" '(0)' "$(does memccp "$1")"
}

ask() {
    echo "$1"
    read -r answer || answer=
}

store_and_read() {
    check 'memccat missing' '(1)' "$(does memccat a)"
    check 'memcexist missing' '(1)' "$(does memcexist a)"
    check 'memctouch missing' '(1)' "$(does memctouch --expire=100 a)"
    check 'memcrm missing' '(1)' "$(does memcrm a)"
    printf first >a
    check 'memccp --replace missing' "Error occurred during memcached_replace('a'): $not_replaced"$'\n(1)' "$(does memccp --replace a)"
    check 'memccp --add' '(0)' "$(does memccp --add a)"
    check 'memccp --add again' "Error occurred during memcached_add('a'): $not_added"$'\n(1)' "$(does memccp --add a)"
    check 'memccat' $'first\n(0)' "$(does memccat a)"
    printf second >a
    check 'memccp --replace' '(0)' "$(does memccp --replace --flags=7 --expire=100 a)"
    check 'memccat --flags' $'7\nsecond\n(0)' "$(does memccat --flags a)"
    check 'memcexist' '(0)' "$(does memcexist a)"
    check 'memctouch' '(0)' "$(does memctouch --expire=200 a)"
    check 'memctouch into the past' '(0)' "$(does memctouch --expire=$past a)"
    check 'memccat expired' '(1)' "$(does memccat a)"
    for options in '' --buffer --non-blocking --tcp-nodelay; do
        store a "with $options"
        check "memccat $options" "with $options"$'\n(0)' "$(does memccat $options a)"
    done
    check 'memcrm' '(0)' "$(does memcrm a)"
    check 'memccat removed' '(1)' "$(does memccat a)"
}

values() {
    local key
    printf '%b' "$(printf '\\x%02x' {0..255})" >binary
    printf '\r\nEND\r\n' >>binary
    printf 'Grüße, 世界' >utf8
    : >empty
    head -c $((1024 * 1024 - 512)) /dev/urandom >large
    for key in binary utf8 empty large; do
        check "memccp $key" '(0)' "$(does memccp "$key")"
        check "memccat $key" '(0)' "$(does memccat --file="$key.read" "$key")"
        check "memccat $key" '' "$(cmp "$key" "$key.read" 2>&1)"
    done
    key=$(printf 'k%.0s' {1..250})
    store "$key" x
    check 'memccat of a key of 250 bytes' $'x\n(0)' "$(does memccat "$key")"
    check 'memcexist of a key of 250 bytes' '(0)' "$(does memcexist "$key")"
    check 'memccat of a key of 251 bytes' 1 "$(memccat "${key}k" 2>&1 | grep -c '^Fatal error for key')"
    store toolarge small
    cat large large >toolarge
    check 'memccp of a value too large' "Error occurred during memcached_set('toolarge'): ITEM TOO BIG"$'\n(1)' \
        "$(does memccp toolarge)"
    check 'memccat of a value too large' '(1)' "$(does memccat toolarge)"
}

many() {
    local i
    for i in {0..39}; do printf 'value %d' "$i" >"many$i"; done
    check 'memccp of many' '(0)' "$(does memccp many{0..39})"
    check 'memccat of many' "$(printf 'value %d\n' {0..39})"$'\n(0)' "$(does memccat many{0..39})"
    check 'memcexist of many' '(0)' "$(does memcexist many{0..39})"
}

load() {
    local what said
    for what in set get mget; do
        said=$(does memcslap --flush --concurrency=4 --execute-number=500 --test=$what)
        check "memcslap --test=$what" '(0)' "$(tail -n 1 <<<"$said")"
        check "memcslap --test=$what" 1 "$(grep -c "^Time to $what *2000 keys by *4 threads: " <<<"$said")"
    done
    check 'memcslap --noreply' '(0)' "$(does memcslap --noreply --execute-number=500 --test=set | tail -n 1)"
    [ -z "${MEMCACHED_USERNAME:-}" ] || return 0
    # A set to nine gets of ten keys each; what comes back is verified.
    said=$(memcaslap --servers="$MEMCACHED_SERVERS" --threads=1 --concurrency=4 --execute_number=2000 --division=10 --verify=1)
    check 'memcaslap' 'get_misses: 0 verify_misses: 0 verify_failed: 0 ' \
        "$(grep -E '^(get_misses|verify_.*):' <<<"$said" | tr '\n' ' ')"
}

server() {
    if [ -z "${MEMCACHED_USERNAME:-}" ]; then
        check 'memcping' '(0)' "$(does memcping)"
        check 'memcstat --server-version' 1 "$(memcstat --server-version 2>&1 | grep -c "^$MEMCACHED_SERVERS 1\.6\.[0-9]*$")"
        check 'memcstat' 4 "$(memcstat | grep -cP '^\t(pid: [1-9]|version: 1\.6\.|cmd_get: [1-9]|get_hits: [1-9])')"
    fi
    check 'memcflush' '(0)' "$(does memcflush)"
    check 'memccat flushed' '(1)' "$(does memccat many{0..39})"
}

# With one of two memcacheds frozen, its keys get the proxy's SERVER_ERROR, and the others are served.
freeze() {
    local key said served=0
    check 'memccp of many' '(0)' "$(does memccp many{0..39})"
    ask freeze
    [ "$answer" = frozen ] || return
    for key in many{0..39}; do
        if said=$(memccat "$key" 2>/dev/null); then
            served=$((served + 1))
            check 'memccat while frozen' "$(cat "$key")" "$said"
            check 'memccp while frozen' '(0)' "$(does memccp "$key")"
        else
            # A set would be made up for by deleting the key when the memcached is back.
            check 'memccp --add while frozen' 1 "$(memccp --add "$key" 2>&1 | grep -c "$refused")"
        fi
    done
    check 'some keys served while frozen' yes "$([ $served -gt 0 ] && [ $served -lt 40 ] && echo yes)"
    ask thaw
    check thaw thawed "$answer"
    check 'memccat when thawed' "$(printf 'value %d\n' {0..39})"$'\n(0)' "$(does memccat many{0..39})"
}

refused() {
    local said='AUTHENTICATION FAILURE'
    printf x >kept
    check 'memccp with a wrong password' 1 "$(memccp kept 2>&1 | grep -c "$said")"
    check 'memccat with a wrong password' 1 "$(memccat kept 2>&1 | grep -c "$said")"
    check 'memcrm with a wrong password' 1 "$(memcrm kept 2>&1 | grep -c "$said")"
    check 'memcflush with a wrong password' 1 "$(memcflush 2>&1 | grep -c "$said")"
    printf '%d checks\nok\n' "$checks"
    exit
}

[[ " $* " != *' refused '* ]] || refused
check memcflush '(0)' "$(does memcflush)"
store_and_read
values
many
load
many
server
freeze
printf '%d checks\nok\n' "$checks"
