package eventlogs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// logRace is several clients that use the log l during some chunks, through proxies whose clocks differ, and
// may jump.
type logRace struct {
	*verbtest.Schedule
	seed   uint64
	random *verbtest.AtRandom
	skew   int64     // greatest difference of clocks from memcached's, but for those that jump
	jumps  int64     // by how many milliseconds some jump, forward or back, for some steps or for good; 0 if none does
	jumpy  []*skewed // those that do
	events int       // number of events so far
	ample  bool      // items are never full, but may be evicted
}

// skewed is the world of an event loop whose clock is ahead of memcached's.
type skewed struct {
	*verbtest.World
	ahead int64
	hints verbs.Hints
}

func (s *skewed) Now() int64 { return s.Clock + s.ahead }

func (s *skewed) Hints() *verbs.Hints { return &s.hints }

// newLogRace returns a random race.
func newLogRace(w *verbtest.World, seed uint64) *logRace {
	r := &logRace{seed: seed, random: verbtest.NewRandom(seed, 0)}
	spans := []verbs.Options{
		{LogChunk: 1000, LogChunks: 2},
		{LogChunk: 1000, LogChunks: 6},
		{LogChunk: 2000, LogChunks: 4},
		{LogChunk: 5000, LogChunks: 2},
		{LogChunk: 5000, LogChunks: 10},
		{LogChunk: 10_000, LogChunks: 3},
		{LogChunk: 86_400_000, LogChunks: 45}, // days
	}
	w.Settings = spans[r.random.IntN(len(spans))]
	w.Model = verbtest.NewModel()
	clear(w.Long)
	w.Old = r.random.IntN(2) == 0
	w.Direct = seed%8 != 0
	w.Tick = r.random.Int64N(1000)
	w.Clock += r.random.Int64N(3 * w.Settings.LogChunk)
	r.skew = []int64{0, 5, 400}[r.random.IntN(3)]
	// With several items, events of the same time may change their order, and an
	// eviction hides the items after it for a while. So a race has either several items of
	// a chunk, or evictions and a strict check of the order.
	if r.random.IntN(2) == 0 {
		r.ample = true
	} else {
		w.Limit = 1024
	}
	r.random.Rate = []float64{0, 0.05}[r.random.IntN(2)]
	r.Schedule = &verbtest.Schedule{World: w, Choose: r, Elapse: r.elapseSome, Slice: []int{0, 2}[r.random.IntN(2)]}
	if r.random.IntN(2) == 0 {
		r.jumps = []int64{1000, w.Settings.LogChunk, 3 * w.Settings.LogChunk, 3_600_000}[r.random.IntN(4)]
	}
	r.addClients()
	return r
}

// addClients adds clients of some event loops, the clocks of some of which jump.
func (r *logRace) addClients() {
	pools := map[int64]*verbtest.Pool{}
	for i := range 1 + r.random.IntN(4) {
		loop := &skewed{World: r.World, ahead: r.skew * int64(r.random.IntN(3)-1)}
		pool := pools[loop.ahead]
		if pool == nil || r.jumps > 0 {
			pool = &verbtest.Pool{T: r.T, Env: loop, List: theVerbs}
			pools[loop.ahead] = pool
		}
		if r.jumps > 0 && i%2 == 1 {
			r.jumpy = append(r.jumpy, loop)
		}
		r.Clients = append(r.Clients, &verbtest.Player{Pool: pool, Left: 5 + r.random.IntN(40), Next: r.request})
	}
}

// jumpsOften is how many steps there are between two jumps of clocks.
const jumpsOften = 6

// jump has a clock jump now and then, or go right again.
func (r *logRace) jump() {
	if len(r.jumpy) > 0 && r.random.IntN(jumpsOften) == 0 {
		r.jumpy[r.random.IntN(len(r.jumpy))].ahead = r.jumps * []int64{0, 0, 1, 1, -1}[r.random.IntN(5)]
	}
}

func (r *logRace) Pick(n int) int { return r.random.Pick(n) }

// Fault excludes mishaps that this race can't check.
func (r *logRace) Fault(int) int {
	f := r.random.Fault(verbtest.Filled)
	if f == verbtest.Evicted && !r.ample || f == verbtest.Filled && r.ample {
		return 0
	}
	return f
}

// elapseSome lets some time pass, but little during calls, since a proxy does not wait
// long either.
func (r *logRace) elapseSome() {
	r.jump()
	ring := r.Settings.LogChunk * r.Settings.LogChunks
	for _, p := range r.Clients {
		if p.Caller != nil {
			r.Clock += r.random.Int64N(8)
			return
		}
	}
	if r.Pending() {
		return
	}
	switch r.random.IntN(6) {
	case 0:
		r.Clock += r.random.Int64N(ring / 2)
	case 1: // to the start of a chunk, or just before it
		r.Clock += max(0, r.Settings.LogChunk-r.Clock%r.Settings.LogChunk-r.random.Int64N(3)*r.random.Int64N(20))
	default:
		r.Clock += r.random.Int64N(r.Settings.LogChunk / 3)
	}
}

// request returns a random request. The data of every event is unique.
func (r *logRace) request() string {
	o, now := &r.Settings, r.Clock
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
	case 6: // the oldest chunk shares its item with the next
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
		return fmt.Sprintf("logfetch l %d", -r.random.Int64N(r.Settings.LogChunk*r.Settings.LogChunks))
	case 1:
		first := r.Clock - r.random.Int64N(r.Settings.LogChunk*r.Settings.LogChunks)
		return fmt.Sprintf("logfetch l %d %d", first, first+r.random.Int64N(3*r.Settings.LogChunk))
	case 2:
		return "logfetch l 1 9223372036854775807"
	}
	return "logfetch l"
}

// eventCall is a logput that may have put its event.
type eventCall struct {
	*verbtest.Call
	when   int64
	flags  uint32
	stored bool
	gone   int // the step in which its item was evicted; 0 if it was not
}

// eventCalls returns the events that calls may have stored, by their data.
func (r *logRace) eventCalls() map[string]*eventCall {
	events := map[string]*eventCall{}
	for _, c := range r.Calls {
		line, data, ok := strings.Cut(c.Request, "\r\n")
		if !ok {
			continue
		}
		e := &eventCall{Call: c, stored: c.Answer == "STORED\r\n"}
		var size int
		fmt.Sscanf(line, "logput l %d %d %d", &e.flags, &e.when, &size)
		if e.when <= 0 {
			e.when += c.Begun
		}
		keeps := r.keeps(e.when, c.Begun)
		if want := map[bool]string{true: "STORED\r\n", false: "NOT_STORED\r\n"}[keeps]; c.Answer != want && !c.Failed() {
			r.wrong("%s: answered %q, expected %q", line, c.Answer, want)
		}
		if keeps {
			events[data] = e
		}
	}
	for _, c := range r.Calls {
		evicted, _ := parseEvents([]byte(c.Gone), -1<<62, 1<<62)
		for _, e := range evicted {
			events[string(e.data)].gone = c.To
		}
	}
	return events
}

// keeps reports whether an event of time t can be stored at time now.
func (r *logRace) keeps(t, now int64) bool {
	chunk, ring := r.Settings.LogChunk, r.Settings.LogChunk*r.Settings.LogChunks
	oldest := now - now%chunk - ring + chunk
	return t >= oldest && t <= now+chunk
}

// check checks the answer of every logfetch.
func (r *logRace) check() {
	events := r.eventCalls()
	for _, c := range r.Calls {
		if strings.HasPrefix(c.Request, "logfetch") && !c.Failed() {
			r.checkFetch(c, events)
		}
	}
}

// checkFetch checks the answer of a logfetch: it has what was certainly there, and nothing else.
func (r *logRace) checkFetch(c *verbtest.Call, events map[string]*eventCall) {
	first, last := r.interval(c)
	got := parseFetch(r.T, c.Answer)
	seen := map[string]bool{}
	for i, e := range got {
		put := events[e.data]
		if put == nil || seen[e.data] || e.when != put.when || e.flags != put.flags || put.From > c.To ||
			e.when < first || e.when > last || put.stored && put.gone >= put.To && put.gone < c.From {
			r.wrong("%.60v: %+v", c, e)
		}
		seen[e.data] = true
		if i == 0 {
			continue
		}
		before := events[got[i-1].data]
		if before.when > put.when || r.ample && before.when == put.when && put.stored && put.To < before.From {
			r.wrong("%.60v: %+v is out of order", c, e)
		}
	}
	for data, e := range events {
		if e.stored && e.gone == 0 && !seen[data] && e.To < c.From && e.when >= first && e.when <= last && r.lasts(e, c.Ended) {
			r.wrong("%.60v: %.20s at %d is missing", c, data, e.when)
		}
	}
}

// lasts reports whether an event that was stored is surely there at a time, by memcached's clock, if it is not
// evicted. That is so whatever the clocks of proxies say, unless it was put so early, by memcached's clock,
// that no proxy whose clock is right takes it; but clocks differ.
func (r *logRace) lasts(e *eventCall, now int64) bool {
	promised := r.Settings.LogChunk * (r.Settings.LogChunks - 1)
	return e.when-e.Since <= r.Settings.LogChunk+r.skew && now <= e.when+promised-2*r.skew
}

// interval returns the interval of a logfetch.
func (r *logRace) interval(c *verbtest.Call) (first, last int64) {
	first, last = -1<<62, c.Begun
	switch n, _ := fmt.Sscanf(c.Request, "logfetch l %d %d", &first, &last); {
	case n == 1 && first <= 0:
		first += c.Begun
	}
	oldest := c.Begun - c.Begun%r.Settings.LogChunk - r.Settings.LogChunk*(r.Settings.LogChunks-1)
	return max(first, oldest), min(last, c.Begun+r.Settings.LogChunk)
}

func (r *logRace) wrong(format string, args ...any) {
	r.T.Helper()
	complaint := fmt.Sprintf(format, args...)
	r.T.Fatalf("seed %d: %+v, limit %d, clocks %d apart, jumps of %d:\n%s\n%s", r.seed, r.Settings, r.Limit, r.skew, r.jumps, complaint, r.Schedule)
}

// To repeat one of these, start with its seed.
func TestLogRaces(t *testing.T) {
	verbtest.Long(t)
	w := newWorld(t)
	for n := range uint64(verbtest.NumberOf(1000)) {
		r := newLogRace(w, verbtest.FirstSeed()+n)
		r.Run()
		for range 3 {
			r.Clients = []*verbtest.Player{{Pool: r.Clients[0].Pool, Left: 1, Next: func() string { return "logfetch l 1 9223372036854775807" }}}
			r.Run()
			r.Clock += r.random.Int64N(r.Settings.LogChunk)
		}
		r.check()
	}
}
