package front

import (
	"time"

	"github.com/memverbs/memverbs/proxy/state"
)

// gate says which requests of a client are carried out: none before its protocol is recognized, only
// quit and passwords while a password is demanded, and all after that.
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
// A reload unlocks a penalized client too. An admitted client remains admitted, whatever a later
// reload demands. If no password is demanded and the client sends a wrong one, the answer is delayed,
// but nothing else waits.
type gate struct {
	state gateState
	timer *time.Timer // disconnects the client; nil unless a password is demanded and has not been sent
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

// recognized returns the state that follows when the client's protocol is known. demands says whether its
// listener has passwords.
func (s gateState) recognized(demands bool) gateState {
	if demands {
		return state.Next(s, locked, 1<<unrecognized)
	}
	return state.Next(s, unlocked, 1<<unrecognized)
}

// reloaded returns the state that follows a reload, which may have added or removed the listener's
// passwords.
func (s gateState) reloaded(demands bool) gateState {
	if demands {
		return state.Next(s, locked, 1<<unlocked)
	}
	return state.Next(s, unlocked, 1<<locked|1<<penalized)
}

// wrong returns the state that follows a wrong password. A client may send one even if none is
// demanded.
func (s gateState) wrong(demands bool) gateState {
	if demands {
		return penalized
	}
	return unlocked
}

// answered returns the state that follows when a wrong password was answered.
func (s gateState) answered() gateState { return state.Next(s, locked, 1<<penalized) }

// stopTimer ends the wait for a password. The timer must not keep a client that is gone.
func (g *gate) stopTimer() {
	if g.timer != nil {
		g.timer.Stop()
		g.timer = nil
	}
}
