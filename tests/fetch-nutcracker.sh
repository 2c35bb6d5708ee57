#!/usr/bin/env bash
# Puts nutcracker, which is twemproxy's program, under .cache/nutcracker at the top of the repository. It is started as
# .cache/nutcracker/nutcracker, is not installed, and needs no root. Says nothing where it is there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

is_nutcracker() { "$1/nutcracker" --version >/dev/null 2>&1; }
fetch nutcracker is_nutcracker 'launcher usr/sbin/nutcracker' bookworm nutcracker libc6 libyaml-0-2
