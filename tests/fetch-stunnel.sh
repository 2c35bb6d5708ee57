#!/usr/bin/env bash
# Puts stunnel of forky, Debian's testing suite, under .cache/stunnel at the top of the repository. It is started as
# .cache/stunnel/stunnel, is not installed, and needs no root. Says nothing where it is there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

is_stunnel() { "$1/stunnel" -version >/dev/null 2>&1; }
fetch stunnel is_stunnel 'launcher usr/bin/stunnel' forky \
    stunnel libc6 libssl3t64 libsystemd0 libwrap0 libzstd1 zlib1g
