#!/usr/bin/env bash
# Gets the clients that the tests run against memverbs:
#
#     installed       from Debian: libmemcached, its tools and its clients for Python and PHP, parts of Laravel, what it needs for passwords,
#                     other clients for Python, Perl and Java; Ruby and Rails' store; openssl; pyflakes; javac, node and npm where there
#                     are none
#     .cache/node     from npm: memcached, memjs
#     .cache/dalli    dalli of Debian 13, since Debian 12's can't speak the text protocol
#     .cache/dalli-bookworm
#                     dalli of Debian 12, which speaks only the binary protocol
#     .cache/dalli-forky
#                     dalli of Debian's testing suite, which speaks only the text protocol
#     .cache/django-3.2.25
#                     Django's own tests of its cache, of the version that Debian 12 has
#
# None of the packages starts a service. Says nothing where all is there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

packages=(
    libmemcached-tools libmemcached-dev
    python3-pylibmc python3-pymemcache python3-memcache python3-django
    php-cli php-memcached php-memcache php-illuminate-cache php-illuminate-queue php-illuminate-events
    libcache-memcached-fast-perl
    libspymemcached-java
    libsasl2-modules openssl
    ruby ruby-activesupport pyflakes3
)
command -v javac >/dev/null || packages+=(default-jdk-headless)
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)

missing=()
for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    "${as_root[@]}" apt-get update
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
fi

has_module() { # name, version
    [ "$(node -p "require('$cache/node/node_modules/$1/package.json').version" 2>/dev/null)" = "$2" ]
}
node_memcached=2.2.2 memjs=1.3.2
if ! has_module memcached $node_memcached || ! has_module memjs $memjs; then
    mkdir -p "$cache/node"
    npm install --prefix "$cache/node" --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
        memcached@$node_memcached memjs@$memjs
fi

is_dalli() { [ -e "$1/lib/dalli.rb" ]; }
arrange_dalli() { mv "$1"/usr/share/rubygems-integration/all/gems/dalli-*/lib "$1/lib"; }
fetch dalli is_dalli arrange_dalli trixie ruby-dalli
fetch dalli-bookworm is_dalli arrange_dalli bookworm ruby-dalli
fetch dalli-forky is_dalli arrange_dalli forky ruby-dalli

is_django_tests() {
    sha256sum --check --status <<<"3f88db3fd263e7aacbf115271062238092879e6d6dcd6c3a597b414ca83d7a14  $1/cache/tests.py" 2>/dev/null
}
arrange_django_tests() {
    mv "$1/tests/cache" "$1/cache"
    find "$1" -mindepth 1 -maxdepth 1 ! -name cache -exec rm -r {} +
}
fetch django-3.2.25 is_django_tests arrange_django_tests bookworm src:python-django
