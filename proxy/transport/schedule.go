package transport

// schedule tells when the output of a Conn is written:
//
//	       ┌──SendLater──▶ gathering ──┐ Send, or the turn ends
//	       │                           ▼
//	idle ──┴─────────Send────────────▶ due ◀──the turn ends── later
//	 ▲ ▲                               │││                      ▲
//	 │ └──all is written───────────────┘│└──a turn's worth is───┘
//	 │                                  │   written
//	 └──the socket is writable── full ◀─┘ the socket accepts no more
//
// What is to be written at the end of a turn, or when the socket is writable, becomes due if there is
// something left of it. From each state it is over when writing fails, or when the owner ends the Conn.
type schedule uint8

const (
	idle      schedule = iota // nothing is to be written, or nobody has asked for it
	gathering                 // written at the end of the turn, together with what comes until then
	due                       // written when the current callback ends
	later                     // there is more than is written in one turn
	full                      // the socket accepts no more now; the poller reports when it does
	over                      // nothing may be written or read any more
)

// sent follows when the output is to be written now.
func (s schedule) sent() schedule {
	if s <= gathering {
		return due
	}
	return s
}

// gathered follows when the output is to be written at the end of the turn.
func (s schedule) gathered() schedule {
	if s == idle {
		return gathering
	}
	return s
}

// turnEnded follows at the end of the turn.
func (s schedule) turnEnded() schedule {
	if s == gathering || s == later {
		return idle
	}
	return s
}

// begun follows when what is due is about to be written.
func (s schedule) begun() schedule {
	if s == due {
		return idle
	}
	return s
}

// cut follows when a turn's worth has been written, and there is more.
func (s schedule) cut() schedule {
	if s == idle {
		return later
	}
	return s
}

// filled follows when the socket has not accepted what was to be written.
func (s schedule) filled() schedule {
	if s == idle {
		return full
	}
	return s
}

// emptied follows when the socket may accept more.
func (s schedule) emptied() schedule {
	if s == full {
		return idle
	}
	return s
}

// accepts reports whether the socket may accept more.
func (s schedule) accepts() bool { return s < full }
