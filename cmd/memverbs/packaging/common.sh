# What the scripts that make packages share: where they are, the version, and building. To be sourced.
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
packaging=cmd/memverbs/packaging
dist=${DIST:-dist}
mkdir -p "$dist"

# The version is that of the tag v1.2.3, and 1.2.3+4.gabcdef four commits later. Before there is a tag, it is
# 0.0.0 and the commit.
version=${VERSION:-$(git describe --tags --match 'v[0-9]*' --dirty=.dirty 2>/dev/null || git describe --always --dirty=.dirty)}
case $version in
v*) version=$(sed -E 's/^v//; s/-([0-9]+)-g/+\1.g/' <<<"$version") ;;
*) [ -n "${VERSION:-}" ] || version=0.0.0+g$version ;;
esac
# What comes before a release, such as 1.0.0-rc1, is 1.0.0~rc1 to Debian.
debian_version=${version/-/\~}

# Whatever has a time gets that of the commit, so that it comes out the same whenever it is made.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

# build <system> <architecture> <file> builds a static binary that depends on nothing but the sources and the
# version of Go.
build() {
    GOOS=$1 GOARCH=$2 CGO_ENABLED=0 GOFLAGS= go build -trimpath -buildvcs=false -pgo cmd/memverbs/packaging/plain.pgo \
        -ldflags "-s -w -X main.version=$version -X main.date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)" -o "$3" ./cmd/memverbs
}

# archive <folder> writes an archive of what is in the folder that depends on nothing else.
archive() { (cd "$1" && tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -cf - *); }

# write_changelog <debian> <version> writes the changelog in that folder.
write_changelog() {
    cat >"$1/changelog" <<CHANGELOG
memverbs ($2) unstable; urgency=medium

  * Release $version: see cmd/memverbs/packaging/CHANGELOG.md.

 -- The memverbs authors <memverbs@users.noreply.github.com>  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGELOG
}
