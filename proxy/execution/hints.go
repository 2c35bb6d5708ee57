package execution

// hints are items of event logs that a loop has found to be long, see [verbs.Env.NoteOutgrown]. It is only a hint: if it is
// forgotten, the next append finds that the item is long.
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
