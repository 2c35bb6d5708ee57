package front

import (
	"time"

	"github.com/memverbs/memverbs/proxy/state"
)

// departure says whether a client leaves, and how far it has come with that:
//
//	staying ──┬▶ unheard ──▶ dismissed ──▶ hurried ──▶ finishing
//	          │     │            │            │            │
//	          └─────┴────────────┴────────────┴────────────┴──▶ leaving ──▶ lingering ──▶ receiving
//	                                                                                  all ──▶ gone
//
// A client only moves to the right. It may skip states, except that only a leaving client lingers. A
// client leaves by itself (it says quit, stops sending, or sends what can't be parsed), or because the
// proxy dismisses it (dismissal.go).
type departure struct {
	state       departureState
	cause       cause
	until       uint32        // the deadline, in ticks; while it leaves, any progress extends it
	grace       uint32        // by how many ticks
	undelivered int32         // bytes in the socket's queue after the last progress; -1 if not checked
	opened      time.Duration // when the client connected, since the proxy started
}

// departureState is a state of a departure.
type departureState uint8

const (
	staying   departureState = iota
	unheard                  // dismissed, but has just connected, so its first request is awaited
	dismissed                // leaves when nothing is outstanding
	hurried                  // leaves when everything that it has sent is answered
	finishing                // leaves when the request of which it has sent a part is answered
	leaving                  // is closed when nothing is outstanding, or at the deadline
	lingering                // has been sent everything; what it sends is discarded
	receiving                // the same, and has been given more time to receive it
	gone                     // is closed
)

// cause says who wants the client to leave.
type cause uint8

const (
	ownWish   cause = iota
	dismissal       // the proxy stops, or has no such listener any more
	lateness        // the same, and the client has connected while others were dismissed
)

// dismissed returns the state that follows when the proxy wants the client to leave. early says that
// it has just connected.
func (s departureState) dismissed(early bool) departureState {
	if early {
		return state.Next(s, unheard, 1<<staying)
	}
	return state.Next(s, dismissed, 1<<staying)
}

// heard returns the state that follows when the client has sent something.
func (s departureState) heard() departureState { return state.Next(s, dismissed, 1<<unheard) }

// hurried returns the state that follows when a dismissed client has had enough time to pause.
func (s departureState) hurried() departureState {
	return state.Next(s, hurried, 1<<unheard|1<<dismissed)
}

// inRequest returns the state that follows when only a request that the client is sending keeps it
// from leaving.
func (s departureState) inRequest() departureState { return state.Next(s, finishing, 1<<hurried) }

// left returns the state that follows when the client is to be closed as soon as nothing is
// outstanding.
func (s departureState) left() departureState { return max(s, leaving) }

// sent returns the state that follows when everything was sent to a leaving client.
func (s departureState) sent() departureState { return state.Next(s, lingering, 1<<leaving) }

// extended returns the state that follows when a lingering client gets more time.
func (s departureState) extended() departureState { return state.Next(s, receiving, 1<<lingering) }

// dismissed reports whether the client leaves, or will leave, because the proxy wants it to.
func (d *departure) dismissed() bool { return d.cause != ownWish }

// canBeHurried reports whether the client has been dismissed and may go on for a while.
func (d *departure) canBeHurried() bool { return d.state == unheard || d.state == dismissed }

// finishesSoon reports whether the client gets answers only to requests that it has sent completely or
// in part.
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
