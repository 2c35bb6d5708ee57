#!/usr/bin/env bash
# What test-source.sh does with the source package beside this script, in a Debian that it has booted.
set -euo pipefail
cd "$(dirname "$0")"
chown -R nobody .

# as_nobody <command>... runs a command as the user that Debian's build machines have, who has no home.
as_nobody() { runuser -u nobody -- env HOME=/nonexistent "$@"; }

echo '== build, without a network'
as_nobody dpkg-source -x memverbs_1.2.3-1.dsc source
cd source
as_nobody dpkg-buildpackage -us -uc >/tmp/log 2>&1 || { tail -n 50 /tmp/log; exit 1; }

echo '== clean'
as_nobody debian/rules clean >/tmp/log 2>&1 || { tail -n 50 /tmp/log; exit 1; }
as_nobody dpkg-source -b . >/dev/null # which fails if something else than debian differs from the archive
cd ..

echo '== lintian'
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs --tag-display-limit 0 memverbs_1.2.3-1_*.changes

echo '== the watch file, with a list of releases as GitHub gives it'
mkdir -p site/repos/memverbs/memverbs
for file in v1.2.3/memverbs_1.2.3.orig.tar.xz v1.10.0/memverbs_1.10.0.orig.tar.xz v1.11.0/memverbs-1.11.0-linux-amd64; do
    echo "{\"browser_download_url\":\"https://github.com/memverbs/memverbs/releases/download/$file\"}"
done >site/repos/memverbs/memverbs/releases
python3 -m http.server --directory site --bind 127.0.0.1 8000 >/dev/null 2>&1 &
sed 's|https://api.github.com|http://127.0.0.1:8000|' source/debian/watch >watch
for _ in $(seq 300); do
    ! (: </dev/tcp/127.0.0.1/8000) 2>/dev/null || break
    sleep 0.1
done
uscan --no-download --dehs --package memverbs --upstream-version 1.2.3 --watchfile watch | grep -F '<upstream-version>1.10.0<'

echo '== what is in it'
dpkg-deb -f memverbs_1.2.3-1_*.deb Static-Built-Using | grep -E '^golang-1\.[0-9]+ \(= .*\)$'
dpkg -i memverbs_1.2.3-1_*.deb
memverbs --version | grep '^memverbs 1\.2\.3 '
for file in /etc/memverbs/memverbs.yml /usr/share/man/man5/memverbs.yml.5.gz /usr/share/doc/memverbs/cmd/memverbs/README.md \
    /usr/share/memverbs/memverbs.rules.yml /usr/share/bash-completion/completions/memverbs; do
    test -s "$file"
done

echo '== its test for autopkgtest'
source/debian/tests/serves
