package upstream

// Expected is what the replies on a connection have to be compared with: what each
// request has asked for, one after another, see [protocol.Check].
type Expected struct {
	text  []byte
	done  int // bytes at the start that are not needed any more
	added int // bytes at the end that are about the request which is pushed next
}

// maxExpectedDone is how much that is not needed any more is left where it is, in bytes.
const maxExpectedDone = 64 << 10

// len returns how many bytes there are.
func (e *Expected) len() int { return len(e.text) - e.done }

// first returns the first n bytes. They are valid until something is added.
func (e *Expected) first(n uint32) []byte { return e.text[e.done : e.done+int(n)] }

// Text returns what there is, to be given back by Extend.
func (e *Expected) Text() []byte { return e.text }

// Extend takes back what Text returned, with something appended to it: what the request
// asks for that is pushed next.
func (e *Expected) Extend(text []byte) {
	e.added += len(text) - len(e.text)
	e.text = text
}

// take returns how many bytes are about the request that is pushed now.
func (e *Expected) take() uint32 {
	n := e.added
	e.added = 0
	return uint32(n)
}

// drop forgets the first n bytes. When there are no more, memory is kept for what comes
// next, but no more than idle bytes.
func (e *Expected) drop(n uint32, idle int) {
	e.done += int(n)
	switch {
	case e.done < len(e.text):
		if e.done > maxExpectedDone && e.done > len(e.text)/2 {
			e.text = append(e.text[:0], e.text[e.done:]...)
			e.done = 0
		}
	case cap(e.text) > idle:
		*e = Expected{}
	default:
		e.text, e.done = e.text[:0], 0
	}
}
