package proxy

import "golang.org/x/sys/unix"

// splice is a pipe through which bytes are moved from one socket to another
// inside the kernel, see splice(2). Between two moves it is empty.
type splice struct {
	in, out int // 0 before it is made, -1 if that failed
}

// capacity is how much the pipe is asked to hold, in bytes: what any user may
// have, as long as there are not too many pipes.
const capacity = 1 << 20

// make makes the pipe. It reports whether there is one.
func (s *splice) make() bool {
	if s.in != 0 {
		return s.in > 0
	}
	var ends [2]int
	if unix.Pipe2(ends[:], unix.O_NONBLOCK|unix.O_CLOEXEC) != nil {
		s.in, s.out = -1, -1
		return false
	}
	s.out, s.in = ends[0], ends[1]
	_, _ = unix.FcntlInt(uintptr(s.in), unix.F_SETPIPE_SZ, capacity) // it works with less
	return true
}

func (s *splice) close() {
	if s.in > 0 {
		_ = unix.Close(s.in)
		_ = unix.Close(s.out)
	}
	*s = splice{}
}

// move moves at most n bytes that one socket has to another, and returns how
// many the first has given. What the second does not take is queued.
func (f *flow) move(from, to *wire, n int) int {
	if !f.splice.make() {
		return 0
	}
	const flags = unix.SPLICE_F_MOVE | unix.SPLICE_F_NONBLOCK
	given, err := unix.Splice(from.fd, nil, f.splice.in, nil, n, flags)
	if err != nil || given <= 0 {
		return 0 // gnet finds out what is wrong, if anything is
	}
	rest := int(given)
	for rest > 0 {
		taken, err := unix.Splice(f.splice.out, nil, to.fd, nil, rest, flags)
		if err != nil || taken <= 0 {
			break
		}
		*to.written += uint64(taken)
		rest -= int(taken)
	}
	f.empty(to, rest)
	return int(given)
}

// empty queues for w the n bytes that are in the pipe.
func (f *flow) empty(w *wire, n int) {
	for n > 0 {
		room := w.out.room(n)
		got, err := unix.Read(f.splice.out, room[len(room):len(room)+n])
		if err != nil || got <= 0 {
			f.splice.close()
			w.fail(unix.EPIPE)
			return
		}
		w.out.extend(room[:len(room)+got])
		n -= got
	}
	w.send()
}
