#!/usr/bin/env bash
# libmemcached's command line tools: libmemcached-tools.sh <host:port> [binary]
#
# memccat prints the values alone, so those of a multi-get are told as the values of "-", in the order in which they came.
set -uo pipefail

export MEMCACHED_SERVERS=$1
with=()
[ "${2:-}" != binary ] || with=(--binary)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit

while read -r command key rest; do
    case $command in
    set)
        printf '%s' "$rest" >"$key"
        if said=$(memccp "${with[@]}" "$key" 2>&1); then echo stored; else echo "error ${said//$'\n'/ }"; fi
        ;;
    get)
        if value=$(memccat "${with[@]}" "$key" 2>/dev/null); then echo "$key=$value"; else echo 'error exit status'; fi
        ;;
    multi)
        # shellcheck disable=SC2086 # they are words
        memccat "${with[@]}" "$key" $rest 2>/dev/null | sed 's/^/-=/' | tr '\n' ' '
        echo
        ;;
    esac
done
