#!/usr/bin/env bash
# Puts Debian 12's redis-server under .cache/redis at the top of the repository. It is started as
# .cache/redis/redis-server, is not installed, and needs no root. Says nothing where it is there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

is_redis() { "$1/redis-server" --version >/dev/null 2>&1; }
fetch redis is_redis 'launcher usr/bin/redis-server' bookworm redis-server redis-tools libatomic1 libc6 libcap2 \
    libgcc-s1 libgcrypt20 libgpg-error0 libjemalloc2 liblz4-1 liblzf1 liblzma5 libssl3 libstdc++6 libsystemd0 libzstd1
