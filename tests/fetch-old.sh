#!/usr/bin/env bash
# Builds an old memverbs, the one that benchmarks put beside this one, from the repository's history, and puts it under
# .cache/memverbs-<revision>. Its revision is oldRevision in tests/bench/old.go. Says nothing where it is there already.
set -euo pipefail
umask 022

cd "$(dirname "$0")/.."
revision=$(sed -n 's/^const oldRevision = "\(.*\)"$/\1/p' tests/bench/old.go)
old=.cache/memverbs-$revision
[ ! -x "$old/memverbs" ] || exit 0

if ! git cat-file -e "$revision^{commit}" 2>/dev/null; then
    echo "memverbs of $revision can't be built: this clone has no such commit; git fetch --unshallow --tags" >&2
    exit 1
fi
mkdir -p .cache
work=$(mktemp -d .cache/old.XXXXXX)
trap 'rm -rf "$work"' EXIT
git archive "$revision" | tar -x -C "$work"
(cd "$work" && CGO_ENABLED=0 go build -o memverbs ./cmd/memverbs)
mkdir -p "$old"
mv "$work/memverbs" "$old/memverbs"
