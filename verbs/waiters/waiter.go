package waiters

// Call is a call that waits, as its owner has it.
type Call interface {
	// Try makes the call, as if it did not wait. Its answer is passed to [Table.Tried], perhaps before Try returns.
	Try()
	// Over answers the call, which is not made any more. nothing is what one like it was answered with that has found
	// nothing; it is empty if there was none.
	Over(nothing []byte)
}

// Waiter is a call's place in its line. The zero value has none.
type Waiter struct {
	call       Call
	line       *line
	next, prev *Waiter
	alarm      alarm
	state      state
	alike      string // see [Request.Alike]
	asked      uint64 // when it asked, as [Table.count] counts
	tried      uint64 // when it tried last
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

// try makes the call.
func (w *Waiter) try() {
	if w.state == wantsLast {
		w.line.lasts--
		w.state = triesLast
	} else {
		w.state = tries
	}
	w.line.tries++
	w.tried = w.line.table.count()
	w.call.Try()
}
