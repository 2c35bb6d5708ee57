#!/usr/bin/env bash
# Puts Chromium without a window, and a font, of the machine's own release of Debian under .cache/chromium at the top of the
# repository. It is started as .cache/chromium/chromium. Nothing is installed, and no root is needed. Says nothing where it is
# there already.
set -euo pipefail
umask 022

. "$(dirname "$0")/debian.sh"

is_chromium() { "$1/chromium" --version >/dev/null 2>&1; }

# Chromium starts itself again for each of its processes, which a program under a dynamic linker of its own can't. So it
# uses the machine's, whose release it is of.
arrange_chromium() {
    local libraries
    libraries=$(basename "$(dirname "$(find "$1/usr/lib" -name libnss3.so)")")
    cat >"$1/chromium" <<LAUNCHER
#!/bin/sh
root=\$(cd "\${0%/*}" && pwd)
libraries=\$root/usr/lib/$libraries
export FONTCONFIG_SYSROOT="\$root" LD_LIBRARY_PATH="\$libraries:\$root/lib/$libraries:\$libraries/pulseaudio"
exec "\$root/usr/lib/chromium/chromium-headless-shell" --no-sandbox --disable-gpu --disable-dev-shm-usage "\$@"
LAUNCHER
    chmod 755 "$1/chromium"
}

fetch chromium is_chromium arrange_chromium "$(. /etc/os-release && echo "$VERSION_CODENAME")" \
    chromium-headless-shell chromium-common fontconfig-config fonts-dejavu-core \
    libasound2 libasyncns0 libatk1.0-0 libatspi2.0-0 libblkid1 libbrotli1 libbsd0 libbz2-1.0 libcap2 libdav1d6 libdbus-1-3 \
    libdouble-conversion3 libdrm2 libexpat1 libffi8 libflac12 libfontconfig1 libfreetype6 libgbm1 libgcrypt20 libglib2.0-0 \
    libgpg-error0 libgraphite2-3 libharfbuzz-subset0 libharfbuzz0b libicu72 libjpeg62-turbo liblcms2-2 liblz4-1 liblzma5 \
    libmd0 libminizip1 libmount1 libmp3lame0 libmpg123-0 libnspr4 libnss3 libogg0 libopenh264-7 libopenjp2-7 libopus0 \
    libpcre2-8-0 libpng16-16 libpulse0 libselinux1 libsndfile1 libsqlite3-0 libsystemd0 libudev1 libuuid1 libvorbis0a \
    libvorbisenc2 libwayland-server0 libx11-6 libx11-xcb1 libxau6 libxcb-randr0 libxcb1 libxcomposite1 libxdamage1 libxdmcp6 \
    libxext6 libxfixes3 libxi6 libxkbcommon0 libxml2 libxnvctrl0 libxrandr2 libxrender1 libzstd1 zlib1g
