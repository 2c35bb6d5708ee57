package views

// PartsLast is how long the parts of a structure that is in use may remain unread, in
// milliseconds.
const PartsLast = 60_000

// PartsDue reports whether parts that were last read at the time at, 0 for never, should be read again at
// the time now, both by [verbs.Env.Uptime].
func PartsDue(at, now int64) bool { return at == 0 || now-at >= PartsLast }

// WantsProbe reports whether the parts should be probed again.
func (v *View) WantsProbe(now int64) bool {
	return len(v.Head.Segments) > 0 && PartsDue(v.Probed, now)
}

// Loans are the views that a call uses.
type Loans []*View

// Lend marks v as used by the call until end.
func (l *Loans) Lend(v *View) {
	v.users++
	*l = append(*l, v)
}

// End ends the call's use of views.
func (l *Loans) End() {
	for _, v := range *l {
		v.users--
	}
	clear(*l)
	*l = (*l)[:0]
}

// Unprobed returns the views whose parts should be probed again, and marks them as probed.
func (l Loans) Unprobed(now int64) (views []*View) {
	for _, v := range l {
		if v.WantsProbe(now) && !v.Gone {
			v.Probed = now
			views = append(views, v)
		}
	}
	return views
}
