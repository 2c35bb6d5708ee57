package front

import "time"

// gate tells which requests of a client are carried out: none before its protocol is recognized, only
// quit and those with a password while it has to show one, and then all.
//
//	              no password is demanded
//	unrecognized ────────────────────────▶ unlocked
//	     │                                   ▲ │ a reload demands one, or none any more
//	     │ one is demanded                   │ ▼
//	     └───────────────────────────────▶ locked ──the right one──▶ admitted
//	                                         ▲ │ a wrong one           │
//	                              answered   │ ▼                       │
//	                                       penalized ◀──a wrong one────┘
//
// A reload unlocks a penalized client too. One that is admitted remains so whatever is demanded later.
// Where none is demanded, a wrong one is answered late, but nothing else waits for that.
type gate struct {
	state gateState
	timer *time.Timer // disconnects the client; nil unless a password is demanded that it has not shown
}

// gateState is a state of a gate.
type gateState uint8

const (
	unrecognized gateState = iota // the client has sent nothing
	locked                        // it has to show a password
	penalized                     // it has shown a wrong one, whose answer is delayed
	unlocked                      // it needs none
	admitted                      // it has shown one
)

// passes reports whether requests are carried out.
func (s gateState) passes() bool { return s >= unlocked }

// recognized follows when the client's protocol is known. demands says whether its listener has passwords.
func (s gateState) recognized(demands bool) gateState {
	switch {
	case s != unrecognized:
		return s
	case demands:
		return locked
	}
	return unlocked
}

// reloaded follows when the listener may have got passwords or have lost them.
func (s gateState) reloaded(demands bool) gateState {
	switch {
	case s == unlocked && demands:
		return locked
	case s == locked && !demands, s == penalized && !demands:
		return unlocked
	}
	return s
}

// wrong follows when the client has shown a wrong password, which it may do though none is demanded.
func (s gateState) wrong(demands bool) gateState {
	if demands {
		return penalized
	}
	return unlocked
}

// answered follows when a wrong password has been answered.
func (s gateState) answered() gateState {
	if s == penalized {
		return locked
	}
	return s
}

// stopTimer ends the wait for a password. The timer must not keep a client that is gone.
func (g *gate) stopTimer() {
	if g.timer != nil {
		g.timer.Stop()
		g.timer = nil
	}
}
