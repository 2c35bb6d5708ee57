#!/usr/bin/env bash
# Puts an archive of the chart for Helm into dist, with this version. It depends on nothing but the commit.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r $packaging/helm/memverbs "$work/memverbs"
sed -i -E "s/^(version|appVersion): .*/\1: $version/" "$work/memverbs/Chart.yaml"
chart=$dist/memverbs-chart-$version.tgz
archive "$work" | gzip -n9 >"$chart"
echo "$chart"
