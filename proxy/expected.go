package proxy

// expected is what the replies on a connection have to be compared with: what each
// request has asked for, one after another, see [protocol.Check].
type expected struct {
	text []byte
	done int // bytes at the start that are not needed any more
}

// maxExpectedDone is how much that is not needed any more is left where it is, in bytes.
const maxExpectedDone = 64 << 10

// len returns how many bytes there are.
func (e *expected) len() int { return len(e.text) - e.done }

// first returns the first n bytes. They are valid until something is added.
func (e *expected) first(n uint32) []byte { return e.text[e.done : e.done+int(n)] }

// drop forgets the first n bytes. When there are no more, memory is kept for what comes
// next, but no more than idle bytes.
func (e *expected) drop(n uint32, idle int) {
	e.done += int(n)
	switch {
	case e.done < len(e.text):
		if e.done > maxExpectedDone && e.done > len(e.text)/2 {
			e.text = append(e.text[:0], e.text[e.done:]...)
			e.done = 0
		}
	case cap(e.text) > idle:
		*e = expected{}
	default:
		e.text, e.done = e.text[:0], 0
	}
}
