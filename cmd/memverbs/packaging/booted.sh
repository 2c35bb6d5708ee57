# A Debian of its own that is booted for a test: nothing of it outlives the test. To be sourced after common.sh, by a script
# that has a folder $work and calls end_debian when it ends. Needs root.
. tests/debian.sh
cgroup=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)/memverbs-test-$$
booted= init=

# make_debian <name> <release> <option of mmdebstrap>... makes .cache/<name>, unless it is there.
make_debian() {
    local name=$1 release=$2
    shift 2
    [ ! -e "$cache/$name" ] || return 0
    echo '== a Debian'
    mkdir -p "$cache" "$work/lists/partial"
    # Before a release is out, its lists have a last day, which has passed where a mirror stands still.
    mmdebstrap --aptopt='Acquire::Check-Valid-Until "false"' "$@" "$release" "$work/debian" $(mirrors)
    mv "$work/debian" "$cache/$name"
}

# boot_debian <name> <file>... boots .cache/<name>, without a network, and with the files in its folder /test.
boot_debian() {
    local name=$1
    shift
    echo '== boot'
    mkdir "$work/root" "$work/changes" "$cgroup"
    (
        echo "$BASHPID" >"$cgroup/cgroup.procs"
        exec unshare --mount --pid --fork --ipc --uts --net --cgroup --kill-child \
            $packaging/boot.sh "$cache/$name" "$work/changes" "$work/root" "$@"
    ) >"$work/log" 2>&1 &
    booted=$!
    for _ in $(seq 600); do
        init=$(pgrep -P "$booted" || true)
        [ -z "$init" ] || [ ! -S "/proc/$init/root/run/systemd/private" ] || return 0
        sleep 0.1
    done
    cat "$work/log"
    exit 1
}

# inside <command>... runs a command in the Debian that was booted.
inside() { nsenter -t "$init" -a -r -w /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

# end_debian ends the Debian that was booted: all its processes are children of one.
end_debian() {
    [ -z "$booted" ] || kill -KILL "$booted"
    [ -z "$booted" ] || wait "$booted" 2>/dev/null || true
    for _ in $(seq 100); do
        [ -e "$cgroup" ] || return 0
        find "$cgroup" -depth -type d -exec rmdir {} \; 2>/dev/null || sleep 0.1 # the last of them are ending
    done
}
