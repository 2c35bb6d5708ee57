#!/usr/bin/env bash
# Builds an image for containers into dist, for amd64 and arm64, or for the architectures that are arguments, without a
# daemon: it has a single layer with a single file, the static binary. The archive is an OCI image layout that also has
# the manifest.json of docker save, so that podman load, skopeo and docker load of any version read it.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# blob <file> moves a file to the blobs of the layout and prints its digest, without sha256:.
blob() {
    local digest
    digest=$(sha256sum <"$1" | cut -d ' ' -f 1)
    mv "$1" "$layout/blobs/sha256/$digest"
    echo "$digest"
}

# size <digest> prints how long a blob is.
size() { stat -c %s "$layout/blobs/sha256/$1"; }

# It runs as nobody in particular, and listens where other containers can reach it.
config() {
    cat <<CONFIG
{"architecture":"$1","os":"linux","created":"$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)",
"config":{"User":"65532:65532","Entrypoint":["/memverbs"],"Cmd":["--listen",":11211"],"ExposedPorts":{"11211/tcp":{}},
"Labels":{"org.opencontainers.image.version":"$version","org.opencontainers.image.licenses":"MIT"}},
"rootfs":{"type":"layers","diff_ids":["sha256:$2"]}}
CONFIG
}

manifest() {
    cat <<MANIFEST
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",
"config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:$1","size":$(size "$1")},
"layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar","digest":"sha256:$2","size":$(size "$2")}]}
MANIFEST
}

# image <architecture> writes the archive of one image.
image() {
    local layer config manifest
    layout=$work/$1/layout
    mkdir -p "$layout/blobs/sha256" "$work/$1/files"
    build linux "$1" "$work/$1/files/memverbs"
    archive "$work/$1/files" >"$work/blob"
    layer=$(blob "$work/blob")
    config "$1" "$layer" >"$work/blob"
    config=$(blob "$work/blob")
    manifest "$config" "$layer" >"$work/blob"
    manifest=$(blob "$work/blob")
    echo '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
    cat >"$layout/index.json" <<INDEX
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json",
"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:$manifest","size":$(size "$manifest"),
"annotations":{"org.opencontainers.image.ref.name":"$tag","io.containerd.image.name":"memverbs:$tag"}}]}
INDEX
    cat >"$layout/manifest.json" <<DOCKER
[{"Config":"blobs/sha256/$config","RepoTags":["memverbs:$tag"],"Layers":["blobs/sha256/$layer"]}]
DOCKER
    archive "$layout" >"$dist/memverbs-$version-image-$1.tar"
    echo "$dist/memverbs-$version-image-$1.tar"
}

tag=${version/+/-} # a tag can't have a plus
[ $# -gt 0 ] || set -- amd64 arm64
for architecture in "$@"; do
    image "$architecture"
done
