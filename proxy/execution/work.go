package execution

// Work tells whether the executors of a loop have anything in work: verbs that run, or queues of appends,
// which may outlive their verbs. Most loops have nothing most of the time, and then ask no executor at the
// end of a callback. What ends during a callback counts as in work until the callback ends.
type Work struct {
	things int
	any    bool
}

// Any reports whether anything is in work, or was in this callback.
func (w *Work) Any() bool { return w.any }

// EndCallback is called at the end of a callback of the event loop.
func (w *Work) EndCallback() { w.any = w.things > 0 }

func (w *Work) begins() {
	w.things++
	w.any = true
}

func (w *Work) ends() { w.things-- }
