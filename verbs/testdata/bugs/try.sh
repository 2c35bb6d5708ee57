#!/usr/bin/env bash
# Puts each defect of this folder, in turn, into a copy of the packages, and expects their tests to find it: the random
# schedules of the kind that the defect is in; if it is in none, of the kind that its name begins with, or else of sets.
# If they do not, the other tests are to, but one, which looks at folders that the copy does not have. Prints what did,
# and fails if nothing did, or if a patch no longer applies or compiles. Takes names of patches, all if none are given.
# SCHEDULES is how many random schedules are tried. With --apply it only sees that the patches apply, and that the
# packages they change compile.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bad=0
apply=
if [ "${1:-}" = --apply ]; then
    apply=1
    shift
fi
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(basename -s .patch "$here"/*.patch)
for name in "${names[@]}"; do
    rm -rf "$work/copy"
    mkdir "$work/copy"
    cp -r "$top"/{go.mod,go.sum,protocol,verbs} "$work/copy"
    cd "$work/copy"
    git apply "$here/$name.patch"
    if [ "$apply" ]; then
        # With -trimpath, what a patch leaves alone is compiled once for all of them.
        mapfile -t changed < <(sed -n 's#^+++ b/\(.*\)/[^/]*$#./\1#p' "$here/$name.patch" | sort -u)
        go build -trimpath "${changed[@]}"
        continue
    fi
    go build ./verbs/...
    kind=$(sed -n 's#^+++ b/verbs/\([a-z]*\)/.*#\1#p' "$here/$name.patch" | head -1)
    grep -qs TestRandomSchedules verbs/"${kind:-none}"/*_test.go || kind=${name%%-*}s
    grep -qs TestRandomSchedules verbs/"$kind"/*_test.go || kind=sets
    go test -c -o "$work/tests" ./verbs/$kind
    if "$work/tests" -test.run TestRandomSchedules -test.timeout 10m -schedules "${SCHEDULES:-1000000}" >"$work/out" 2>&1 &&
        "$work/tests" -test.timeout 10m -schedules 1000 >"$work/out" 2>&1 &&
        go test -vet off -timeout 10m -skip TestNobodyElseNamesVerbs $(go list ./verbs/... | grep -v "/$kind\$") >"$work/out" 2>&1; then
        printf '%-22s NOT FOUND\n' "$name"
        bad=1
    else
        printf '%-22s %s\n' "$name" "$(grep -m1 '\.go:[0-9]*: ' "$work/out" | cut -d: -f3- | cut -c1-120)"
    fi
done
exit $bad
