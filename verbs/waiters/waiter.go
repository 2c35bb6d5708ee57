package waiters

import "github.com/memverbs/memverbs/verbs/waiters/alarms"

// Call is a call that waits, as its owner has it.
type Call interface {
	// Try makes the call, as if it did not wait. Its answer is passed to [Table.Tried], perhaps before Try returns.
	Try()
	// Over answers the call, which is not made any more. answer is what one like it was answered with; it is empty if there
	// was none, and there is nothing for it as far as is known.
	Over(answer []byte)
}

// Waiter is a call's place in its line. The zero value has none.
type Waiter struct {
	call       Call
	line       *line
	next, prev *Waiter
	alarm      alarms.Alarm[due]
	state      state
	alike      string // see [Request.Alike]
	asked      uint64 // when it asked, see [moments]
	tried      uint64 // when it tried last
	sight      Sight  // what it has seen then, with All; the Mark is 0 before
	speaks     bool   // the line has it made, for all that are alike
}

// Call returns the call whose place w is.
func (w *Waiter) Call() Call { return w.call }

// state is how far a call that waits has come:
//
//	waits ◀──▶ tries ──found, or──▶ answered
//	  │          │      its last       ▲
//	  │     time is over               │
//	  │          ▼                     │
//	  │      triesLast ────────────────┤
//	  │          ▲ its turn            │
//	  └────▶ wantsLast ────────────────┘
//	time is over     there is nothing
//
// A call whose time is over waits until one has found nothing since it asked, or until its turn has come.
type state uint8

const (
	answered  state = iota // it does not wait any more, or not yet
	waits                  // for its turn to try
	tries                  // it is being made
	wantsLast              // its time is over, but it may have to be made once more
	triesLast              // it is being made, and its answer is final
)

// waiting reports whether w is not being made.
func (w *Waiter) waiting() bool { return w.state == waits || w.state == wantsLast }
