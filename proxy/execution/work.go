package execution

// Work says whether the executors of a loop have any work: running verbs, or queues of appends, which may
// outlive their verbs. Most loops have none most of the time, and then call no executor at the end of a
// callback. Work that ends during a callback counts until the callback ends.
type Work struct {
	things int
	any    bool
}

// Any reports whether there is any work, or was in this callback.
func (w *Work) Any() bool { return w.any }

// EndCallback is called at the end of a callback of the event loop.
func (w *Work) EndCallback() { w.any = w.things > 0 }

func (w *Work) begins() {
	w.things++
	w.any = true
}

func (w *Work) ends() { w.things-- }
