#!/usr/bin/env bash
# Puts each defect of this folder, in turn, into a copy of the packages, and expects their tests to find it: the random
# schedules of the kind that the defect is in; if it is in none, of the kind that its name begins with, or else of sets.
# If they do not, the other tests are to, but one, which looks at folders that the copy does not have. Prints what did,
# and fails if nothing did, or if a patch no longer applies or compiles. Takes names of patches, all if none are given.
# SCHEDULES is how many random schedules are tried, as far as ten minutes go. With --apply it only sees that the patches
# apply, and that what they change compiles.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# copy makes a fresh copy of the packages, and goes there.
copy() {
    rm -rf "$work/copy"
    mkdir "$work/copy"
    mkdir "$work/copy/proxy"
    cp -r "$top"/{go.mod,go.sum,protocol,sharding,verbs} "$work/copy"
    cp -r "$top"/proxy/{copies,moving,namespace,placement} "$work/copy/proxy"
    cd "$work/copy"
}

# apply_all applies the patches named to as few copies as possible, and compiles each copy. If one does not compile, it
# compiles each of its patches by itself, which says which one is wrong unless they only don't go together.
apply_all() {
    local left=("$@") together later name
    while [ ${#left[@]} -gt 0 ]; do
        copy
        git apply "$here/${left[0]}.patch"
        together=("${left[0]}") later=()
        for name in "${left[@]:1}"; do
            if git apply "$here/$name.patch" 2>/dev/null; then together+=("$name"); else later+=("$name"); fi
        done
        if ! go build ./verbs/... ./proxy/... 2>"$work/out"; then
            [ ${#together[@]} -gt 1 ] || { cat "$work/out"; return 1; }
            for name in "${together[@]}"; do apply_all "$name"; done
        fi
        left=("${later[@]}")
    done
}

# passes runs tests, and fails if one of them fails: to run out of time is to find nothing.
passes() { "$@" >"$work/out" 2>&1 || grep -q '^panic: test timed out' "$work/out"; }

bad=0
apply=
schedules='TestRandomSchedules|TestLogRaces'
if [ "${1:-}" = --apply ]; then
    apply=1
    shift
fi
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(basename -s .patch "$here"/*.patch)
if [ "$apply" ]; then
    apply_all "${names[@]}"
    exit
fi
for name in "${names[@]}"; do
    copy
    git apply "$here/$name.patch"
    go build ./verbs/... ./proxy/...
    kind=$(sed -n 's#^+++ b/\([a-z]*/[a-z]*\)/.*#\1#p' "$here/$name.patch" | head -1)
    grep -qsE "$schedules" "${kind:-none}"/*_test.go || kind=verbs/${name%%-*}s
    grep -qsE "$schedules" "$kind"/*_test.go || kind=verbs/sets
    go test -c -o "$work/tests" ./$kind
    if passes "$work/tests" -test.run "$schedules" -test.timeout 10m -schedules "${SCHEDULES:-1000000}" &&
        passes "$work/tests" -test.timeout 10m -schedules 1000 &&
        passes go test -vet off -timeout 10m -skip TestNobodyElseNamesVerbs $(go list ./verbs/... ./proxy/... | grep -v "/$kind\$"); then
        printf '%-22s NOT FOUND\n' "$name"
        bad=1
    else
        printf '%-22s %s\n' "$name" "$(grep -m1 '\.go:[0-9]*: ' "$work/out" | cut -d: -f3- | cut -c1-120)"
    fi
done
exit $bad
