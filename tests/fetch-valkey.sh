#!/usr/bin/env bash
# Puts valkey-server of forky, Debian's testing suite, under .cache/valkey at the top of the repository. It is started as
# .cache/valkey/valkey-server, is not installed, and needs no root. Says nothing where it is there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

is_valkey() { "$1/valkey-server" --version >/dev/null 2>&1; }
fetch valkey is_valkey 'launcher usr/bin/valkey-server' forky valkey-server valkey-tools libatomic1 libc6 libgcc-s1 \
    libjemalloc2 liblzf1 libssl3t64 libstdc++6 libsystemd0 libzstd1 zlib1g
