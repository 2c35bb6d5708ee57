package outdated

import "time"

// Record is one thing that is outdated on a server, as it is handed over: a key, a flush, or a number
// of changes whose keys are not known. An empty record ends what is sent before the successor begins.
type Record struct {
	Server  string
	Key     string
	Pool    string // see [Keys.Add]
	Flush   time.Time
	Unknown uint64
}

// heir has the records that a successor has not received yet. A nil heir, without a successor,
// collects nothing.
type heir struct {
	later   []Record
	unknown map[string]uint64 // by server
}

// note adds a record, unless there are too many.
func (h *heir) note(r Record) {
	switch {
	case h == nil:
	case len(h.later) < maxKeys:
		h.later = append(h.later, r)
	default:
		h.forget(r.Server)
	}
}

// forget counts a change of a key that is not known.
func (h *heir) forget(server string) {
	if h != nil {
		h.unknown[server]++
	}
}
