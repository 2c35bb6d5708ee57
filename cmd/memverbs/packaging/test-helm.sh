#!/usr/bin/env bash
# Renders the chart by Helm's own packages and reads the result by those of Kubernetes, and sees that the archive of a
# release is a chart.
set -euo pipefail
umask 022
. "$(dirname "$0")/common.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
archive=$(DIST=$work VERSION=1.2.3+4.gabcdef0 $packaging/chart.sh)
tar -C "$work" -xzf "$archive"
cd $packaging/helm/check
go vet ./...
go test -count=1 ./...
go test -count=1 ./... -chart "$work/memverbs"
echo 'Helm and Kubernetes take the chart.'
