#!/usr/bin/env bash
# boot.sh <debian> <changes> <root> <file>... boots a Debian at root. What it writes goes to memory, mounted at changes,
# and the files are in its folder /test. To be run in namespaces of its own, by unshare.
set -euo pipefail
debian=$1 changes=$2 root=$3
shift 3

mount -t tmpfs tmpfs "$changes"
mkdir "$changes/upper" "$changes/work"
mount -t overlay overlay -o "lowerdir=$debian,upperdir=$changes/upper,workdir=$changes/work" "$root"
mkdir "$root/test"
cp "$@" "$root/test"
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
for folder in run tmp dev; do
    mount -t tmpfs tmpfs "$root/$folder"
done
for device in null zero full random urandom tty; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s pts/ptmx "$root/dev/ptmx"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
mkdir "$root/.before"
cd "$root"
pivot_root . .before # not just chroot, in which services could not have users of their own
# Credentials of services are mounts that one process makes for others, which have to see them.
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot . \
    sh -c 'umount -l /.before && rmdir /.before && mount --make-rshared / && exec /lib/systemd/systemd'
