package upstream

// Expected is what the replies on a connection are compared with: the Asked of each
// pending request, one after another, see [protocol.Check].
type Expected struct {
	text  []byte
	done  int // bytes at the start that are no longer needed
	added int // bytes at the end that belong to the request that is pushed next
}

// maxExpectedDone is how many bytes that are no longer needed may stay at the start
// before the rest is moved.
const maxExpectedDone = 64 << 10

// len returns how many bytes are needed.
func (e *Expected) len() int { return len(e.text) - e.done }

// first returns the first n bytes. They are valid until Extend.
func (e *Expected) first(n uint32) []byte { return e.text[e.done : e.done+int(n)] }

// Text returns the buffer, to be extended and passed to Extend.
func (e *Expected) Text() []byte { return e.text }

// Extend takes back the buffer of Text, to which the Asked of the next request has been
// appended.
func (e *Expected) Extend(text []byte) {
	e.added += len(text) - len(e.text)
	e.text = text
}

// take returns how many bytes belong to the request that is being pushed.
func (e *Expected) take() uint32 {
	n := e.added
	e.added = 0
	return uint32(n)
}

// drop drops the first n bytes. When none are left, it keeps the buffer unless that is
// larger than idle bytes.
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
