package transport

import "golang.org/x/sys/unix"

// pipe moves bytes from one socket to another inside the kernel, see splice(2). Between two moves it is
// empty.
type pipe struct {
	in, out int // -1 while there is none
	failed  bool
}

var noPipe = pipe{in: -1, out: -1}

// make makes the pipe, unless that was done or has failed before. It reports whether there is one.
func (p *pipe) make() bool {
	if p.in >= 0 || p.failed {
		return p.in >= 0
	}
	var ends [2]int
	if unix.Pipe2(ends[:], unix.O_NONBLOCK|unix.O_CLOEXEC) != nil {
		p.failed = true
		return false
	}
	p.out, p.in = ends[0], ends[1]
	_, _ = unix.FcntlInt(uintptr(p.in), unix.F_SETPIPE_SZ, largeRead) // with less, less is moved at once
	return true
}

// close closes the pipe, with what may be in it.
func (p *pipe) close() {
	if p.in >= 0 {
		_, _ = unix.Close(p.in), unix.Close(p.out)
	}
	*p = noPipe
}

// move implements [Conn.Move].
func (e *poller) move(from, to *Conn, n int) int {
	if !e.pipe.make() {
		return 0
	}
	got := splice(from.fd, e.pipe.in, min(n, largeRead))
	rest := got
	for rest > 0 {
		written := splice(e.pipe.out, to.fd, rest)
		if written == 0 {
			break
		}
		*to.written += uint64(written)
		rest -= written
	}
	e.empty(to, rest)
	return got
}

// splice moves at most n bytes, and returns how many. It ignores errors, because whoever uses the
// sockets next encounters them too. As in transfer, Go's scheduler is not told.
func splice(from, to, n int) int {
	const flags = unix.SPLICE_F_MOVE | unix.SPLICE_F_NONBLOCK
	moved, _, errno := unix.RawSyscall6(unix.SYS_SPLICE, uintptr(from), 0, uintptr(to), 0, uintptr(n), flags)
	if errno != 0 {
		return 0
	}
	return int(moved)
}

// empty queues the n bytes that are left in the pipe, since the socket of to accepts no more.
func (e *poller) empty(to *Conn, n int) {
	for n > 0 {
		room := to.Out.Room(min(n, maxEmptied))
		got, err := unix.Read(e.pipe.out, room[len(room):min(cap(room), len(room)+n)])
		if err != nil || got <= 0 {
			e.pipe.close()
			to.fail(unix.EPIPE) // bytes in the middle are lost
			return
		}
		to.Out.Extend(room[:len(room)+got])
		n -= got
	}
	to.Send()
}

// maxEmptied is how large a buffer for bytes in the pipe is, in bytes.
const maxEmptied = 256 << 10
