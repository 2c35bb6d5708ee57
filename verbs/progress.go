package verbs

// progress is how far a routine has come with its call. The call's next [Step] says how it goes on:
//
//	        Start ┌──────────────────── Go ────────────────────┐
//	ended ────────┼── Ops ──▶ asking ──┬── Ops ──▶ asking      ▼
//	              │           (Resume  ├── Go ─────────────▶ switched ──┬── asks ────▶ switched
//	              └─ ended    calls    └─ ended              (Resume    └─ ended
//	                          Then)                          goes on)
//
// A panic ends the call, whatever it was about to do. Whether the call has answered is separate, see
// completion: most calls end when they answer, but one that tidies up goes on after its answer.
type progress uint8

const (
	ended    progress = iota // the call, or there was none yet
	asking                   // waits for replies, which Then of the step takes
	switched                 // to the coroutine, which waits for replies
)

// progressOf returns the progress of a call whose next step is step.
func progressOf(step *Step) progress {
	switch {
	case step.Go != nil:
		return switched
	case len(step.Ops) > 0:
		return asking
	}
	return ended
}

// completion is the state of a call's answer: first it is being written, then it is complete, and then the
// driver takes it, once.
type completion uint8

const (
	unanswered completion = iota
	answered              // complete
	taken                 // by the driver, see [Routine.Answer]
)
