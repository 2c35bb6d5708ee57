package verbs

// furtherAtOnce is how many further items are looked at in one round trip.
const furtherAtOnce = 8

// further puts the event into a further item of a chunk whose item in the ring
// is full: the last one that there is, or a new one.
func (p *put) further() {
	for start := int64(1); start <= maxFurther; start += furtherAtOnce {
		last, ok := p.lastOf(start)
		if !ok {
			return
		}
		for n := last; n < start+furtherAtOnce; n++ {
			key := appendFurtherKey(nil, p.key, p.chunk, n)
			switch p.appendEvent(key) {
			case stored:
				p.say("STORED")
				return
			case failed:
				return
			}
		}
	}
	p.sayf("SERVER_ERROR %s is full: this stretch of %d s takes more than %d items; use a shorter --log-chunk",
		p.key, p.env.Options().LogChunk/1000, maxFurther+1)
}

// lastOf returns the last of the further items from start on, start if there
// is none. It stops at a gap, which an eviction can leave: reading stops there
// too, so that a gap has to be filled first.
func (p *put) lastOf(start int64) (last int64, ok bool) {
	ops := make([]Op, furtherAtOnce)
	for i := range ops {
		ops[i] = Op{Kind: Probe, Key: appendFurtherKey(nil, p.key, p.chunk, start+int64(i))}
	}
	last = start
	for i, r := range p.askAll(ops) {
		switch r.Status {
		case Hit:
			last = start + int64(i)
		case Missing:
			return last, true
		default:
			p.fail(r)
			return 0, false
		}
	}
	return last, true
}
