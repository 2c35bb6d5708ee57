package waiters

// Calls that take nothing from each other, see [Request.All], each look at their structure from a place of their own on.
// If all of them looked when something may have been added, or now and then, the upstream would be asked as often as
// there are calls. So one call probes, the one that sees all that others see. Only if it has seen something new, the
// others try too, but those that have seen the same already. Of those that are alike, one is enough.

// probes is what the probes of a line have seen.
type probes struct {
	prober *Waiter // that is probing
	mark   uint64  // that the last probe has seen; 0 if it has failed, if none could probe, or before the first
	at     uint64  // when its result came, see [moments]
	behind bool    // others may have seen less, see [line.isBehind]
}

// isBehind reports whether there may be something for w that it has not seen: the last probe has seen something else than
// w, which may have looked earlier.
func (l *line) isBehind(w *Waiter) bool {
	return w.tried < l.probes.at && w.sight.Mark != l.probes.mark
}

// see notes what w has seen.
func (l *line) see(w *Waiter, r *Result) {
	p := &l.probes
	if w.sight = r.Sight; w.speaks {
		l.share(w, r)
	}
	switch {
	case w == p.prober:
		p.behind = p.behind || r.Sight.Mark != p.mark || r.Outcome == Failed
		p.prober, p.mark, p.at = nil, r.Sight.Mark, l.table.moments.next()
	case l.isBehind(w):
		p.behind = true
	}
}

// beginSome makes the calls that are behind, or lets one probe if there are none.
func (l *line) beginSome() {
	if l.probes.behind {
		l.probes.behind = l.beginBehind()
		return
	}
	l.again = false
	w := l.farthest()
	if w == nil { // those that are looking for the first time may have looked too early
		l.probes.mark, l.probes.at = 0, l.table.moments.next()
		return
	}
	l.probes.prober, w.speaks = w, true
	l.try(w)
}

// mostBehind is how many calls that are behind are made at the same time.
const mostBehind = 256

// beginBehind makes the calls that are behind, one of those that are alike. It reports whether there are more.
func (l *line) beginBehind() (more bool) {
	speaks := map[string]bool{}
	for w := l.first; w != nil; {
		next := w.next // if w is answered at once, it leaves the line
		switch {
		case !w.waiting() || !l.isBehind(w):
		case len(speaks) == mostBehind || speaks[w.alike]:
			more = true
		default:
			speaks[w.alike], w.speaks = true, true
			l.try(w)
		}
		w = next
	}
	return more
}

// farthest returns the call that sees all that others see which wait, as far as they have looked.
func (l *line) farthest() (far *Waiter) {
	for w := l.first; w != nil; w = w.next {
		if w.waiting() && w.sight.Mark != 0 && (far == nil || w.sight.From < far.sight.From) {
			far = w
		}
	}
	return far
}

// share passes on what w has seen to those calls that are alike and had asked before it looked, and answers them unless it
// has found nothing.
func (l *line) share(w *Waiter, r *Result) {
	w.speaks = false
	for other := l.first; other != nil; {
		next := other.next
		switch {
		case other == w || !other.waiting() || other.asked > w.tried || other.alike != w.alike:
		case r.Outcome != Nothing:
			l.leave(other)
			other.call.Over(r.Answer)
		default:
			other.sight, other.tried = w.sight, max(other.tried, w.tried)
		}
		other = next
	}
}
