package verbs

// progress is how far a routine has come with its call. The call's next [Step] says how it goes on:
//
//	        Start ┌──────────────────── Go ────────────────────┐
//	ended ────────┼── Ops ──▶ asking ──┬── Ops ──▶ asking      ▼
//	              │           (Resume  ├── Go ─────────────▶ switched ──┬── asks ────▶ switched
//	              └─ ended    calls    └─ ended              (Resume    └─ ended
//	                          Then)                          goes on)
//
// A panic ends the call, whatever it was about to do. Whether the call is answered is another matter, see
// completion: most calls are when they end, but one that tidies up goes on after its answer.
type progress uint8

const (
	ended    progress = iota // the call, or there was none yet
	asking                   // waits for replies, which Then of the step takes
	switched                 // to the coroutine, which waits for replies
)

// progressOf returns how far a call has come that does step next.
func progressOf(step *Step) progress {
	switch {
	case step.Go != nil:
		return switched
	case len(step.Ops) > 0:
		return asking
	}
	return ended
}

// completion is how far the answer of a call has come: it is written, becomes complete, and is taken, once.
type completion uint8

const (
	unanswered completion = iota
	answered              // complete
	taken                 // by the driver, see [Routine.Answer]
)
