package transport

import "github.com/memverbs/memverbs/proxy/state"

// schedule says when the output of a Conn is written:
//
//	       ┌──SendLater──▶ gathering ──┐ Send, or the turn ends, or many gather
//	       │                           ▼
//	idle ──┴─────────Send────────────▶ due ◀──the turn ends── later
//	 ▲ ▲                               │││                      ▲
//	 │ └──all is written───────────────┘│└──a turn's worth is───┘
//	 │                                  │   written
//	 └──the socket is writable── full ◀─┘ the socket accepts no more
//
// When the turn ends, many Conns gather output, or the socket is writable again, the output becomes due only if there is still
// something to write. Each state is followed by over when writing fails, or when the owner ends the
// Conn.
type schedule uint8

const (
	idle      schedule = iota // nothing is to be written, or nobody has asked for it
	gathering                 // written at the end of the turn, together with what is added until then
	due                       // written when the current callback ends
	later                     // there is more than may be written in one turn
	full                      // the socket accepts no more now; the poller reports when it does
	over                      // nothing may be written or read any more
)

// sent returns the state that follows when the output is to be written now.
func (s schedule) sent() schedule { return state.Next(s, due, 1<<idle|1<<gathering) }

// gathered returns the state that follows when the output is to be written at the end of the turn.
func (s schedule) gathered() schedule { return state.Next(s, gathering, 1<<idle) }

// enough returns the state that follows when no more is to be gathered.
func (s schedule) enough() schedule { return state.Next(s, idle, 1<<gathering) }

// turnEnded returns the state of long output that follows the end of the turn.
func (s schedule) turnEnded() schedule { return state.Next(s, idle, 1<<later) }

// begun returns the state that follows when due output is about to be written.
func (s schedule) begun() schedule { return state.Next(s, idle, 1<<due) }

// cut returns the state that follows when a turn's worth has been written, and there is more.
func (s schedule) cut() schedule { return state.Next(s, later, 1<<idle) }

// filled returns the state that follows when the socket has not accepted all of the output.
func (s schedule) filled() schedule { return state.Next(s, full, 1<<idle) }

// emptied returns the state that follows when the socket may accept more.
func (s schedule) emptied() schedule { return state.Next(s, idle, 1<<full) }

// accepts reports whether the socket may accept more.
func (s schedule) accepts() bool { return s < full }
