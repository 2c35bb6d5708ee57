package transport

import "github.com/memverbs/memverbs/proxy/state"

// life says who has the socket of a Conn:
//
//	          gnet opens it       gnet closes it
//	enrolling ─────────▶ reading ───────┬───────▶ released ──Detach──▶ detached
//	               Resume ▲ │ Pause     │
//	                      │ ▼           │
//	                     paused ────────┘
//
// From each of these states End leads to closed.
type life uint8

const (
	enrolling life = iota // gnet does not have it yet
	reading               // gnet has it, and it is read
	paused                // gnet has it, and it is not read for now
	released              // gnet is about to close it
	detached              // gnet has closed its descriptor; the Conn has a duplicate
	closed                // the owner has ended the Conn
)

// attached reports whether gnet has the socket.
func (s life) attached() bool { return s == reading || s == paused }

// open reports whether something can still be written to the socket.
func (s life) open() bool { return s > enrolling && s < closed }

// opened returns the state that follows when gnet has the socket.
func (s life) opened() life { return state.Next(s, reading, 1<<enrolling) }

// paused returns the state that follows when reading has stopped for a while.
func (s life) paused() life { return state.Next(s, paused, 1<<reading) }

// resumed returns the state that follows when reading continues.
func (s life) resumed() life { return state.Next(s, reading, 1<<paused) }

// released returns the state that follows when gnet is about to close the socket.
func (s life) released() life { return state.Next(s, released, 1<<reading|1<<paused) }

// detached returns the state that follows when the Conn has got a descriptor of its own.
func (s life) detached() life { return state.Next(s, detached, 1<<released) }
