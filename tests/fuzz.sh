#!/usr/bin/env bash
# Runs each fuzz target for the time given, such as 10000x. The tests of a package are compiled once for all its
# targets, and two packages are at work at a time, but for the first: it compiles what the others need too.
set -euo pipefail

time=$1
cd "$(dirname "$0")/.."
export work cache time
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cache=$(go env GOCACHE)/fuzz

# fuzz runs the targets of the package in a folder.
fuzz() (
    tests=$(mktemp "$work/XXXXXX")
    package=$(go list "$1")
    go test -vet off -c -fuzz . -o "$tests" "$1"
    cd "$1"
    "$tests" -test.list '^Fuzz' | while read -r target; do
        if said=$("$tests" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$time" -test.fuzzminimizetime 10x \
            -test.fuzzcachedir "$cache/$package" -test.parallel 1 -test.timeout 30m </dev/null 2>&1); then
            echo "ok  $package $target"
        else
            printf '%s\n' "$said" "FAIL  $package $target"
            exit 1
        fi
    done
)
export -f fuzz

mapfile -t folders < <(grep -r --include='*_test.go' -l '^func Fuzz' . | xargs -n1 dirname | sort -u)
fuzz "${folders[0]}"
printf '%s\n' "${folders[@]:1}" | xargs -P 2 -I {} bash -euo pipefail -c 'fuzz {}'
