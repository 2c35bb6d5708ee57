package transport

// life tells who has the socket of a Conn:
//
//	          gnet opens it       gnet closes it
//	enrolling ─────────▶ reading ───────┬───────▶ released ──Detach──▶ detached
//	               Resume ▲ │ Pause     │
//	                      │ ▼           │
//	                     paused ────────┘
//
// From each of them End leads to closed.
type life uint8

const (
	enrolling life = iota // gnet does not have it yet
	reading               // gnet has it, and reads it
	paused                // gnet has it, and does not read it for now
	released              // gnet is about to close it
	detached              // gnet has closed its descriptor; the Conn has a duplicate
	closed                // the owner has ended the Conn
)

// attached reports whether gnet has the socket.
func (l life) attached() bool { return l == reading || l == paused }

// open reports whether something can still be written to the socket.
func (l life) open() bool { return l > enrolling && l < closed }

// opened follows when gnet has the socket.
func (l life) opened() life {
	if l == enrolling {
		return reading
	}
	return l
}

// paused follows when reading has stopped for a while.
func (l life) paused() life {
	if l == reading {
		return paused
	}
	return l
}

// resumed follows when reading continues.
func (l life) resumed() life {
	if l == paused {
		return reading
	}
	return l
}

// released follows when gnet is about to close the socket.
func (l life) released() life {
	if l.attached() {
		return released
	}
	return l
}

// detached follows when the Conn has got a descriptor of its own.
func (l life) detached() life {
	if l == released {
		return detached
	}
	return l
}
