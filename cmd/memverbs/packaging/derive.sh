#!/bin/sh
# derive.sh <program> <folder> writes what a package has beside the program, and what the program itself prints, into the
# folder: the settings, the manual pages and the completion.
set -eu
mkdir -p "$2/completions"
"$1" example >"$2/memverbs.yml"
"$1" man >"$2/memverbs.1"
"$1" man memverbs.yml >"$2/memverbs.yml.5"
"$1" completion bash >"$2/completions/memverbs"
"$1" completion zsh >"$2/completions/_memverbs"
"$1" completion fish >"$2/completions/memverbs.fish"
