package transport

import "golang.org/x/sys/unix"

// pipe moves bytes from one socket to another inside the kernel, see splice(2). Between two moves it is
// empty. It is made when it is first needed.
type pipe struct{ in, out int } // 0 while there is none

// pipeSize is the capacity requested for the pipe, in bytes, which is the most that an unprivileged
// user may have.
const pipeSize = 1 << 20

// make makes the pipe, unless that was done before. It reports whether there is one: not if the process
// has too many descriptors now.
func (p *pipe) make() bool {
	if p.in > 0 {
		return true
	}
	var ends [2]int
	if unix.Pipe2(ends[:], unix.O_NONBLOCK|unix.O_CLOEXEC) != nil {
		return false
	}
	p.out, p.in = ends[0], ends[1]
	_, _ = unix.FcntlInt(uintptr(p.in), unix.F_SETPIPE_SZ, pipeSize) // if this fails, less is moved at once
	return true
}

// close closes the pipe, with what may be in it.
func (p *pipe) close() {
	if p.in > 0 {
		_, _ = unix.Close(p.in), unix.Close(p.out)
	}
	*p = pipe{}
}

// move moves at most n bytes from one socket to another, through a pipe that was made. It returns how many were
// taken from the first, and how many of these the second has accepted: the rest is in the pipe, for read.
func (p *pipe) move(from, to, n int) (given, accepted int) {
	given = splice(from, p.in, min(n, pipeSize))
	for accepted < given {
		n := splice(p.out, to, given-accepted)
		if n == 0 {
			break
		}
		accepted += n
	}
	return given, accepted
}

// splice moves at most n bytes, and returns how many. It ignores errors, because the next use of
// the sockets encounters them too. Like those of the poller, it does not announce the system call to Go's
// scheduler.
func splice(from, to, n int) int {
	const flags = unix.SPLICE_F_MOVE | unix.SPLICE_F_NONBLOCK
	moved, _, errno := unix.RawSyscall6(unix.SYS_SPLICE, uintptr(from), 0, uintptr(to), 0, uintptr(n), flags)
	if errno != 0 {
		return 0
	}
	return int(moved)
}

// read reads into b what is in the pipe.
func (p *pipe) read(b []byte) (int, error) { return unix.Read(p.out, b) }
