package lists

// carryOut carries out the order in token t. It returns false if that costs more than w has.
func (l *List) carryOut(w *work, t *token) bool {
	o, _ := parseOrder(t.value(l.log))
	if l.removed.Late(&o.id) { // nobody would get the elements that it removes, so it has no effect
		return w.spend(len(l.removed) / callersToken)
	}
	if !l.remember(w, o.id) {
		return false
	}
	n := l.Live()
	if o.side != 0 {
		return l.removeAt(w, o.side, min(o.count, n), l.note)
	}
	from, to := span(o.start, o.stop, n)
	return l.removeAt(w, removeFirst, from, func(uint32) {}) && l.removeAt(w, removeLast, n-to, func(uint32) {})
}

// removeAt removes n elements at an end, and calls do with the index of each one's token. It
// returns false if that costs more than w has.
func (l *List) removeAt(w *work, side byte, n int, do func(uint32)) bool {
	for n > 0 {
		some := min(n, restsAfter)
		if n -= some; !w.spend(some) {
			return false
		}
		for range some {
			i := l.outermost(side)
			l.remove(l.find(&l.tokens[i]), i)
			do(i)
		}
	}
	return true
}

// outermost returns the index of the token of the first element, or of the last. There must be
// one.
func (l *List) outermost(side byte) uint32 {
	near, far := &l.left, &l.right
	if side == removeLast {
		near, far = far, near
	}
	if near.live > 0 {
		for {
			last := len(near.pushed) - 1
			if i := near.pushed[last]; l.tokens[i].live() {
				return i
			}
			near.pushed = near.pushed[:last]
		}
	}
	for ; ; far.first++ {
		if i := far.pushed[far.first]; l.tokens[i].live() {
			return i
		}
	}
}
