package front

import "time"

// departure tells whether a client leaves, and how far it has come with that:
//
//	staying ──┬▶ unheard ──▶ dismissed ──▶ hurried ──▶ finishing
//	          │     │            │            │            │
//	          └─────┴────────────┴────────────┴────────────┴──▶ leaving ──▶ lingering ──▶ receiving
//	                                                                                  all ──▶ gone
//
// Each step leads forward, and any may be left out except that only a leaving client lingers. A client
// leaves of itself (it says quit, stops sending, or sends what can't be understood), or because the
// proxy dismisses it (dismissal.go).
type departure struct {
	state  departureState
	cause  cause
	opened time.Time     // when the client connected
	until  uint32        // the deadline, in ticks; while it leaves, any progress extends it
	grace  time.Duration // by how much
	unread int           // bytes in the socket's queue after the last progress; -1 if not checked
}

// departureState is a state of a departure.
type departureState uint8

const (
	staying   departureState = iota
	unheard                  // dismissed, but has just connected, so its first request is awaited
	dismissed                // leaves when nothing is outstanding
	hurried                  // leaves when all that it has sent is answered
	finishing                // leaves after the request of which it has sent a part
	leaving                  // is closed when nothing is outstanding, or at the deadline
	lingering                // has been sent everything; what it sends is discarded
	receiving                // the same, and has been given more time to receive it
	gone                     // is closed
)

// cause tells at whose wish a client leaves, or will leave.
type cause uint8

const (
	ownWish   cause = iota
	dismissal       // the proxy stops, or has no such listener any more
	lateness        // the same, and the client has connected while others were dismissed
)

// dismissed follows when the proxy wants the client to leave. early says that it has just connected.
func (s departureState) dismissed(early bool) departureState {
	switch {
	case s != staying:
		return s
	case early:
		return unheard
	}
	return dismissed
}

// heard follows when the client has sent something.
func (s departureState) heard() departureState {
	if s == unheard {
		return dismissed
	}
	return s
}

// hurried follows when a dismissed client has had time enough to pause.
func (s departureState) hurried() departureState {
	if s == unheard || s == dismissed {
		return hurried
	}
	return s
}

// inRequest follows when the client could leave but for a request that it is sending.
func (s departureState) inRequest() departureState {
	if s == hurried {
		return finishing
	}
	return s
}

// left follows when the client is to be closed as soon as nothing is outstanding.
func (s departureState) left() departureState { return max(s, leaving) }

// sent follows when a leaving client has been sent everything.
func (s departureState) sent() departureState {
	if s == leaving {
		return lingering
	}
	return s
}

// extended follows when a client that lingers gets more time.
func (s departureState) extended() departureState {
	if s == lingering {
		return receiving
	}
	return s
}

// dismissed reports whether the client leaves, or will leave, because the proxy wants it to.
func (d *departure) dismissed() bool { return d.cause != ownWish }

// canBeHurried reports whether the client has been dismissed and may go on for a while.
func (d *departure) canBeHurried() bool { return d.state == unheard || d.state == dismissed }

// finishesSoon reports whether only what was sent, and a request of which a part was sent, is answered.
func (d *departure) finishesSoon() bool { return d.state == hurried || d.state == finishing }

// linger returns how long the connection lasts after everything has been sent.
func (d *departure) linger() time.Duration {
	if d.dismissed() {
		return farewell
	}
	return lingerTime
}

const (
	// farewell is how long the connection of a dismissed client lingers if its machine has
	// received all replies.
	farewell = 100 * time.Millisecond
	// lingerTime is how long a client may take to read the final error before its
	// connection is closed.
	lingerTime = 2 * time.Second
)
