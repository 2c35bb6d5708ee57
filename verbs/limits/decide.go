package limits

import "github.com/memverbs/memverbs/verbs"

const errUnfinished = "SERVER_ERROR not finished"

// lead decides on all requests, the first of which is the call's own, answers, and then takes back what was added in
// vain. Until that is done, it is the call's turn.
func (c call) lead(all []*request) {
	defer verbs.SharedOf[turns](c.Env.Shared()).passOn(c.name)
	fail(all, errUnfinished)
	defer settled(all)
	counter, vain := c.decide(all)
	settled(all)
	c.answer()
	if vain > 0 {
		c.Ask(verbs.Op{Kind: verbs.Decr, Key: counter, Of: c.Key, Number: vain}) // if that fails, it stays counted
	}
}

// decide decides on all requests. It returns the key of the counter that it has added to, and how much of that was
// not allowed.
func (c call) decide(all []*request) (counter []byte, vain uint64) {
	if add := c.mayAdd(all); add > 0 {
		return c.add(all, add)
	}
	read, _, err := c.read(c.Env.Now(), true)
	if err != "" {
		fail(all, err)
		return nil, 0
	}
	if add := read.wanted(all); add > 0 {
		return c.add(all, add)
	}
	c.settle(all, &read, 0)
	return nil, 0
}

// mayAdd returns how much all requests ask for that can be allowed, so that it is added at once; 0 if that is to
// be read first: if nothing was free when that was looked at last, and nothing can have become free since. Otherwise calls that
// are refused would add and take back all the time, through several proxies, and what is added in vain would keep all of
// them from being allowed anything when it becomes free.
func (c call) mayAdd(all []*request) uint64 {
	if c.Env.Uptime() < c.Env.Hints().Of([]byte(c.name)).Until {
		return 0
	}
	return (&reading{window: c.window}).wanted(all)
}

// wanted returns how much of what all requests ask for is free, according to a reading.
func (r *reading) wanted(all []*request) (add uint64) {
	total := r.total()
	for _, a := range all {
		if total+add+a.n <= a.count {
			add += a.n
		}
	}
	return add
}

// add adds n to the counter of the present part, reads the others in the same round trip, and decides on all requests. It
// returns as decide does.
func (c call) add(all []*request, n uint64) (counter []byte, vain uint64) {
	read, counter, err := c.addAndRead(n)
	if err != "" {
		fail(all, err) // what was added stays counted
		return nil, 0
	}
	return counter, n - c.settle(all, &read, n)
}

// settle decides on all requests, one after another, given what was counted before and how much was added for them. It
// returns how much of that is allowed: no more than was added, even if more has become free since it was looked at.
func (c call) settle(all []*request, read *reading, added uint64) (allowed uint64) {
	total, now, soonest := read.total(), c.Env.Now(), int64(0)
	for _, r := range all {
		r.failure = ""
		switch needs := max(r.n, 1); {
		case total+needs > r.count:
			r.ms = max(read.free(needs, r.count)-now, 1)
		case allowed+r.n > added:
			r.ms = 1
		default:
			r.allowed = true
			total += r.n
			allowed += r.n
			read.counts[parts] += r.n
		}
		if !r.allowed && (soonest == 0 || r.ms < soonest) {
			soonest = r.ms
		}
		r.left = r.count - min(total, r.count)
	}
	if soonest > 0 {
		c.Env.Hints().Note(c.name, verbs.Hint{Until: c.Env.Uptime() + soonest})
	}
	return allowed
}

// fail makes all requests fail.
func fail(all []*request, err string) {
	for _, r := range all {
		r.failure = err
	}
}
