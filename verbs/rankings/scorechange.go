package rankings

// change calls do, which changes the score of entry i, and keeps everything that depends on the
// score up to date.
func (r *Ranking) change(i uint32, do func(uint32)) {
	e := &r.entries[i]
	r.written.add(e, -1)
	if e.isMember() {
		r.live--
		r.length -= int(e.to - e.from)
		r.lowest.remove(r, i)
		r.highest.remove(r, i)
	}
	do(i)
	r.written.add(e, 1)
	if e.isMember() {
		r.live++
		r.length += int(e.to - e.from)
		r.lowest.insert(r, i)
		r.highest.insert(r, i)
	}
}

// add adds n to the score of entry i, for ever. Sums wrap around, so that the result does not
// depend on the order of additions, on which parts expire, or on folding a log in parts.
func (r *Ranking) add(i uint32, n int64) {
	e := &r.entries[i]
	e.score += n
	e.hash |= stays
}
