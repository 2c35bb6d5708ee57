package verbs

// Hints is what the calls of one event loop remember of structures, a few bytes for each key. A
// hint may be forgotten at any time, and may be outdated because another proxy has changed the
// structure. So a call validates it with memcached before it answers. The zero value is empty.
// Hints are not safe for concurrent use.
type Hints struct {
	young, old map[string]Hint // old has the hints that were not used since young was begun
}

// Hint is what is remembered of a structure.
type Hint struct {
	Text    string
	At      int64 // when the kind's verbs last did something, by [Env.Uptime]; 0 for never
	Size    int   // about, in bytes; 0 if unknown
	InOrder bool  // of a queue of tasks: the last claim of the event loop was of the oldest task
	Until   int64 // of a limit: nothing is free before that time, by [Env.Uptime]
}

// mostHints is the most hints in each of the two maps. With the longest keys the maps take about
// 2 MB together.
const mostHints = 2048

// Of returns the hint for the structure under key, an empty one if there is none.
func (h *Hints) Of(key []byte) Hint {
	if hint, ok := h.young[string(key)]; ok {
		return hint
	}
	hint, ok := h.old[string(key)]
	if ok {
		h.Note(string(key), hint)
	}
	return hint
}

// Note remembers a hint for the structure under key in place of the last one.
func (h *Hints) Note(key string, hint Hint) {
	if len(h.young) >= mostHints {
		h.young, h.old = nil, h.young
	}
	if h.young == nil {
		h.young = map[string]Hint{}
	}
	h.young[key] = hint
}

// Forget forgets the hint for the structure under key.
func (h *Hints) Forget(key []byte) {
	delete(h.young, string(key))
	delete(h.old, string(key))
}
