package rankings

// change calls do, which changes the score of entry i, and keeps everything that depends on the
// score up to date.
func (r *Ranking) change(i uint32, do func(uint32)) {
	e := &r.entries[i]
	r.written.add(e, -1)
	if e.isMember() {
		r.live--
		r.length -= int(e.to - e.from)
		r.takeOut(i)
	}
	do(i)
	r.written.add(e, 1)
	if e.isMember() {
		r.live++
		r.length += int(e.to - e.from)
		r.putIn(i)
	}
}

// takeOut takes the member i out of those that are kept in order, and putIn puts it in again.
func (r *Ranking) takeOut(i uint32) {
	if r.inOrder != nil {
		if r.moved++; r.moved <= mostMoved {
			r.inOrder.remove(r, i)
			return
		}
		r.disarrange()
	}
	r.lowest.remove(r, i)
	r.highest.remove(r, i)
}

func (r *Ranking) putIn(i uint32) {
	if r.inOrder != nil {
		r.inOrder.insert(r, i)
		return
	}
	r.lowest.insert(r, i)
	r.highest.insert(r, i)
}
