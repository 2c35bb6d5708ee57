package execution

// hints are items of which a loop has found something: of event logs, that they are long, see [verbs.Env.NoteOutgrown]; of limits,
// that they were brought from a former place. It is only a hint: if a long item is not there, the next append finds that the
// item is long, and a counter may be brought any number of times.
type hints map[string]bool

// maxHints is how many items a loop remembers at most. When it is full, all are
// forgotten, since items of past times are no longer of use.
const maxHints = 1024

func (h hints) has(key []byte) bool { return h[string(key)] }

func (h *hints) note(key []byte) {
	if *h == nil || len(*h) >= maxHints {
		*h = hints{}
	}
	(*h)[string(key)] = true
}
