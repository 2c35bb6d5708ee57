package verbs

import (
	"fmt"
	"strings"
	"testing"
)

// logRace is several clients at work on the log l, through proxies whose clocks
// differ, in the course of a few rounds of the ring.
type logRace struct {
	*schedule
	seed   uint64
	random *atRandom
	skew   int64 // how far clocks differ from memcached's at most
	events int   // made up so far
	ample  bool  // items have room for everything, but may be evicted
}

// skewed is the world as a proxy sees it that is ahead of memcached.
type skewed struct {
	*world
	ahead int64
}

func (s skewed) Now() int64 { return s.now + s.ahead }

// newLogRace makes up a race. pools keeps callers, by how far their clock is
// ahead.
func newLogRace(w *world, seed uint64, pools map[int64]*pool) *logRace {
	r := &logRace{seed: seed, random: newRandom(seed, 0)}
	rings := []Options{
		{LogChunk: 1000, LogChunks: 2},
		{LogChunk: 1000, LogChunks: 6},
		{LogChunk: 2000, LogChunks: 4},
		{LogChunk: 5000, LogChunks: 2},
		{LogChunk: 5000, LogChunks: 10},
		{LogChunk: 10_000, LogChunks: 3},
		{LogChunk: 86_400_000, LogChunks: 45}, // days
	}
	w.options = rings[r.random.IntN(len(rings))]
	w.model = newModel()
	w.old = r.random.IntN(2) == 0
	w.direct = seed%8 != 0
	w.tick = r.random.Int64N(1000)
	w.now += r.random.Int64N(3 * w.options.LogChunk)
	r.skew = []int64{0, 5, 400}[r.random.IntN(3)]
	// Where there are overflow items, events of the same time may change places,
	// and an eviction hides those behind it for a while. So there are either
	// overflow items, or evictions and a close look at the order.
	if r.random.IntN(2) == 0 {
		r.ample = true
	} else {
		w.limit = 1024
	}
	r.random.rate = []float64{0, 0.05}[r.random.IntN(2)]
	r.schedule = &schedule{world: w, choose: r, elapse: r.elapseSome, slice: []int{0, 2}[r.random.IntN(2)]}
	for range 1 + r.random.IntN(4) {
		ahead := r.skew * int64(r.random.IntN(3)-1)
		if pools[ahead] == nil {
			pools[ahead] = &pool{t: w.t, env: skewed{w, ahead}}
		}
		r.clients = append(r.clients, &player{pool: pools[ahead], left: 5 + r.random.IntN(40), next: r.request})
	}
	return r
}

func (r *logRace) pick(n int) int { return r.random.pick(n) }

// fault leaves out what this race cannot judge.
func (r *logRace) fault(int) int {
	f := r.random.fault(filled)
	if f == evicted && !r.ample || f == filled && r.ample {
		return 0
	}
	return f
}

// elapseSome lets some time pass: little while calls are under way, since a
// proxy does not wait long either.
func (r *logRace) elapseSome() {
	ring := r.options.LogChunk * r.options.LogChunks
	for _, p := range r.clients {
		if p.caller != nil {
			r.now += r.random.Int64N(8)
			return
		}
	}
	if len(r.behind)+len(r.late) > 0 {
		return
	}
	switch r.random.IntN(6) {
	case 0:
		r.now += r.random.Int64N(ring / 2)
	case 1: // to the turn of a chunk, or just before it
		r.now += max(0, r.options.LogChunk-r.now%r.options.LogChunk-r.random.Int64N(3)*r.random.Int64N(20))
	default:
		r.now += r.random.Int64N(r.options.LogChunk / 3)
	}
}

// request makes up a request. The data of every event is another.
func (r *logRace) request() string {
	o, now := &r.options, r.now
	ring := o.LogChunk * o.LogChunks
	var when int64
	switch r.random.IntN(8) {
	case 0, 1, 2:
	case 3:
		when = -r.random.Int64N(ring + ring/8)
	case 4:
		when = now + r.random.Int64N(o.LogChunk+o.LogChunk/8)
	case 5: // the first or last moment of a chunk
		when = (now/o.LogChunk-r.random.Int64N(o.LogChunks+2)+2)*o.LogChunk - r.random.Int64N(2)
	case 6: // the place of the oldest chunk is the one of the next
		when = (now/o.LogChunk-o.LogChunks+1)*o.LogChunk + r.random.Int64N(o.LogChunk)
	case 7:
		return r.fetchRequest()
	}
	r.events++
	data := fmt.Sprintf("event %d %s", r.events, strings.Repeat(".", r.random.IntN(300)))
	return fmt.Sprintf("logput l %d %d %d\r\n%s", r.events, when, len(data), data)
}

func (r *logRace) fetchRequest() string {
	switch r.random.IntN(4) {
	case 0:
		return fmt.Sprintf("logfetch l %d", -r.random.Int64N(r.options.LogChunk*r.options.LogChunks))
	case 1:
		first := r.now - r.random.Int64N(r.options.LogChunk*r.options.LogChunks)
		return fmt.Sprintf("logfetch l %d %d", first, first+r.random.Int64N(3*r.options.LogChunk))
	case 2:
		return "logfetch l 1 9223372036854775807"
	}
	return "logfetch l"
}

// eventCall is a logput that may have put its event.
type eventCall struct {
	*call
	when   int64
	flags  uint32
	stored bool
	gone   bool // with an item that was evicted
}

// eventCalls returns the events that calls may have put, by their data.
func (r *logRace) eventCalls() map[string]*eventCall {
	events := map[string]*eventCall{}
	for _, c := range r.calls {
		line, data, ok := strings.Cut(c.request, "\r\n")
		if !ok {
			continue
		}
		e := &eventCall{call: c, stored: c.answer == "STORED\r\n"}
		var size int
		fmt.Sscanf(line, "logput l %d %d %d", &e.flags, &e.when, &size)
		if e.when <= 0 {
			e.when += c.begun
		}
		keeps := r.keeps(e.when, c.begun)
		if want := map[bool]string{true: "STORED\r\n", false: "NOT_STORED\r\n"}[keeps]; c.answer != want && !c.failed() {
			r.wrong("%s: answered %q, expected %q", line, c.answer, want)
		}
		if keeps {
			events[data] = e
		}
	}
	for _, c := range r.calls {
		evicted, _ := parseEvents([]byte(c.gone), -1<<62, 1<<62)
		for _, e := range evicted {
			events[string(e.data)].gone = true
		}
		if c.gone == "" {
			continue
		}
		// An item that is evicted in the middle of a put may be made anew by a
		// late event, to expire early, and get the event then.
		for _, e := range events {
			e.gone = e.gone || e.from <= c.to && c.from <= e.to
		}
	}
	return events
}

// keeps says whether an event at time t can be put at time now.
func (r *logRace) keeps(t, now int64) bool {
	chunk, ring := r.options.LogChunk, r.options.LogChunk*r.options.LogChunks
	oldest := now - now%chunk - ring + chunk
	expires := t - t%chunk + ring
	return t >= oldest && t <= now+chunk && expires >= now+1000
}

// check looks at what every logfetch answered.
func (r *logRace) check() {
	events := r.eventCalls()
	for _, c := range r.calls {
		if !strings.HasPrefix(c.request, "logfetch") || c.failed() {
			continue
		}
		first, last := r.interval(c)
		got := parseFetch(r.t, c.answer)
		seen := map[string]bool{}
		for i, e := range got {
			put := events[e.data]
			if put == nil || seen[e.data] || e.when != put.when || e.flags != put.flags || put.from > c.to ||
				e.when < first || e.when > last {
				r.wrong("%.60v: %+v", c, e)
			}
			seen[e.data] = true
			if i == 0 {
				continue
			}
			before := events[got[i-1].data]
			if before.when > put.when || r.ample && before.when == put.when && put.stored && put.to < before.from {
				r.wrong("%.60v: %+v is out of order", c, e)
			}
		}
		// memcached counts in seconds, and clocks differ.
		sure := c.ended - r.options.LogChunk*(r.options.LogChunks-1) + 2000 + 2*r.skew
		for data, e := range events {
			if e.stored && !e.gone && !seen[data] && e.to < c.from && e.when >= max(first, sure) && e.when <= last {
				r.wrong("%.60v: %.20s at %d is missing", c, data, e.when)
			}
		}
	}
}

// interval returns the interval that a logfetch asks for.
func (r *logRace) interval(c *call) (first, last int64) {
	first, last = -1<<62, c.begun
	switch n, _ := fmt.Sscanf(c.request, "logfetch l %d %d", &first, &last); {
	case n == 1 && first <= 0:
		first += c.begun
	}
	oldest := c.begun - c.begun%r.options.LogChunk - r.options.LogChunk*(r.options.LogChunks-1)
	return max(first, oldest), min(last, c.begun+r.options.LogChunk)
}

func (r *logRace) wrong(format string, args ...any) {
	r.t.Helper()
	complaint := fmt.Sprintf(format, args...)
	r.t.Fatalf("seed %d: %+v, limit %d, clocks %d apart:\n%s\n%s", r.seed, r.options, r.limit, r.skew, complaint, r.schedule)
}

// To see one of these again, set only to its seed.
func TestLogRaces(t *testing.T) {
	const races, only = 1000, 0
	w, pools := newWorld(t), map[int64]*pool{}
	for seed := uint64(1); seed <= races; seed++ {
		if only != 0 && seed != only {
			continue
		}
		r := newLogRace(w, seed, pools)
		r.run()
		for range 3 {
			r.clients = []*player{{pool: r.clients[0].pool, left: 1, next: func() string { return "logfetch l 1 9223372036854775807" }}}
			r.run()
			r.now += r.random.Int64N(r.options.LogChunk)
		}
		r.check()
	}
}
