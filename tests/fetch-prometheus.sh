#!/usr/bin/env bash
# Puts prometheus and promtool, of the machine's own release of Debian, under .cache/prometheus at the top of the repository.
# Nothing is installed or started, and no root is needed. Says nothing where they are there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

is_prometheus() { "$1/prometheus" --version >/dev/null 2>&1 && "$1/promtool" --version >/dev/null 2>&1; }
arrange_prometheus() { launcher usr/bin/prometheus "$1" && launcher usr/bin/promtool "$1"; }

fetch prometheus is_prometheus arrange_prometheus "$(. /etc/os-release && echo "$VERSION_CODENAME")" prometheus libc6
