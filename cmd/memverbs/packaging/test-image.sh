#!/usr/bin/env bash
# Reads the image back with the programs that others would use, skopeo and umoci, and runs what they make of it as a
# container would: in its own root, as its user. Needs root, or sudo.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"
. $packaging/install.sh
install_missing skopeo umoci

work=$(mktemp -d)
trap '[ -z "${memverbs:-}" ] || pkill -KILL -P "$memverbs" || true; rm -rf "$work"' EXIT

DIST=$work VERSION=1.0.0 $packaging/image.sh "$(dpkg --print-architecture)"
archive=$(echo "$work"/*.tar)
skopeo inspect --config "oci-archive:$archive" | grep -A 14 '"config"'
skopeo inspect --config "docker-archive:$archive" >"$work/as-docker"
skopeo inspect --config "oci-archive:$archive" | cmp - "$work/as-docker"
skopeo copy -q "oci-archive:$archive" "oci:$work/image:test"
umoci unpack --image "$work/image:test" "$work/bundle"
chmod 755 "$work" "$work/bundle"


port=$((20000 + RANDOM % 10000))
mkdir "$work/bundle/rootfs/proc"
unshare --mount --pid --fork "--mount-proc=$work/bundle/rootfs/proc" \
    chroot --userspec=65532:65532 "$work/bundle/rootfs" /memverbs --listen "127.0.0.1:$port" 2>"$work/log" &
memverbs=$!
until grep -q ' msg=ready ' "$work/log"; do
    kill -0 "$memverbs" 2>/dev/null || { cat "$work/log"; exit 1; }
    sleep 0.1
done
cat "$work/log"
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'sadd fruits apple\r\nsmembers fruits\r\nquit\r\n' >&3
tr -d '\r' <&3 | tee "$work/answer"
grep -qx apple "$work/answer"
pkill -TERM -P "$memverbs"
wait "$memverbs"
echo 'The image can be read and run.'
