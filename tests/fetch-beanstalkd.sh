#!/usr/bin/env bash
# Puts beanstalkd of forky, Debian's testing suite, under .cache/beanstalkd at the top of the repository. It is started as
# .cache/beanstalkd/beanstalkd, is not installed, and needs no root. Says nothing where it is there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

is_beanstalkd() { "$1/beanstalkd" -v >/dev/null 2>&1; }
fetch beanstalkd is_beanstalkd 'launcher usr/bin/beanstalkd' forky beanstalkd libc6 libsystemd0
