package verbs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// setRace is several clients at work on the set k.
type setRace struct {
	name    string
	log     string // what is there before, "none" for nothing
	clients [][]string

	options Options
	old     bool
	long    bool                 // with mishaps, as there are most of a million schedules
	onlyNew bool                 // as there are too many schedules on an old memcached
	limit   int                  // the longest value, 0 for memcached's own
	direct  bool                 // see model
	chance  func() func() uint64 // Random
	elapse  int64                // how many milliseconds pass with each step at most
	slice   int                  // see schedule
	views   bool                 // the proxies keep views
	skew    int64                // how far the clock of the second proxy is ahead, in milliseconds
}

// Heads that are always too long, so that whoever appends settles; that are with
// more than six members, or a pointer and two tokens; and that never are.
var (
	tiny  = Options{StructureItemSize: 4}
	small = Options{StructureItemSize: 34} // settled at 30
	roomy = Options{StructureItemSize: 1 << 20}
)

const raceTTL = 1000 // seconds

// counter returns numbers that differ, from last downwards: large ones leave
// undone what is done by chance, small ones have it done.
func counter(last uint64) func() uint64 {
	return func() uint64 {
		last--
		return last
	}
}

// complaint is what is wrong with a schedule.
type complaint string

// strict is a test in which what is wrong ends only the schedule.
type strict struct{ testing.TB }

func (strict) Helper() {} // which takes time

func (strict) Fatalf(format string, args ...any) { panic(complaint(fmt.Sprintf(format, args...))) }

// track runs one race after another.
type track struct {
	world   *world
	proxies [2]*proxy
	pools   [2]*pool        // of the proxies
	checked map[string]bool // histories that were found right, nil if they are not to be remembered
}

func newTrack(t testing.TB) *track {
	tr := &track{world: newWorld(strict{t})}
	for i := range tr.proxies {
		tr.proxies[i] = &proxy{world: tr.world}
		tr.pools[i] = &pool{t: tr.world.t, env: tr.proxies[i]}
	}
	return tr
}

// proxy is one of several in front of a memcached.
type proxy struct {
	*world
	views     *Views
	decisions Decisions
	ahead     int64 // of the memcached's clock, in milliseconds
}

func (p *proxy) Now() int64    { return p.world.now + p.ahead }
func (p *proxy) Views() *Views { return p.views }

func (p *proxy) Decisions() *Decisions { return &p.decisions }

// eagerViews returns views that keep what was read for the first time, and short logs
// too, under key.
func eagerViews(key string) *Views {
	v := NewViews(NewViewRoom(1<<30, 1, func(int64) {}))
	v.shortest = 0
	v.worthKeeping([]byte(key), 0)
	return v
}

// run runs a race and returns what is wrong, if something is.
func (tr *track) run(r *setRace, choose chooser) (s *schedule, wrong complaint) {
	w := tr.world
	w.model = newModel()
	w.old, w.direct, w.options, w.random = r.old, r.direct, r.options, counter(math.MaxUint64)
	if r.chance != nil {
		w.random = r.chance()
	}
	if r.limit > 0 {
		w.limit = r.limit
	}
	for i, p := range tr.proxies {
		p.decisions = Decisions{}
		if p.views = nil; r.views {
			p.views = eagerViews("k")
		}
		p.ahead = int64(i) * r.skew
	}
	s = newSchedule(w, choose, tr.pools[:], r.clients)
	s.key, s.fewer, s.slice = "k", tr.checked != nil, r.slice
	if r.elapse > 0 {
		steps := rand.New(rand.NewPCG(7, 7))
		s.elapse = func() { w.now += steps.Int64N(r.elapse) }
	}
	defer func() {
		if err := recover(); err != nil {
			wrong = err.(complaint)
			for _, p := range tr.pools {
				p.idle = nil
			}
		}
	}()
	begun := w.seconds()
	before := r.begin(w)
	s.run()
	tr.check(r, s, before, begun)
	return s, ""
}

// begin puts what the race begins with into w, and returns that set.
func (r *setRace) begin(w *world) string {
	if r.log == "none" {
		return ""
	}
	w.put("k", r.log, 7, raceTTL)
	var set Set
	set.Read(nil, []byte(r.log), 0)
	return "!" + letters(strings.Fields(string(set.AppendMembers(nil, nil))))
}

// check complains if what the schedule of a race did is not right.
func (tr *track) check(r *setRace, s *schedule, before string, begun int64) {
	vanished := false
	for _, c := range s.calls {
		switch {
		case strings.HasPrefix(c.request, "vanish"):
			vanished = true
		case c.answer == "", strings.HasPrefix(c.answer, "CLIENT_ERROR"), strings.HasPrefix(c.answer, "ERROR"),
			strings.HasPrefix(c.answer, "SERVER_ERROR") && !s.troubled:
			s.t.Fatalf("%s: answered %q", c.request, c.answer)
		}
	}
	s.instead = func(op Op) (Reply, bool) {
		r := s.do(s.t, op)
		s.note("at last", op, r)
		return r, true
	}
	s.calls = append(s.calls, did("smembers k", s.send("smembers k"), s.step+1, s.step+1))
	if !tr.right(before, s.calls) {
		s.t.Fatalf("at last: %q: no order of the calls explains the answers", s.calls[len(s.calls)-1].answer)
	}
	if i := s.find("k"); before != "" && !vanished {
		if i == nil || i.flags != 7 || i.expires < begun+raceTTL || i.expires > s.seconds()+raceTTL {
			s.t.Fatalf("flags and time to live are lost: %+v", i)
		}
	}
	if !s.troubled && s.find("k") != nil {
		h, _ := parseHead(s.find("k").value)
		if parts, _ := extent(h.segments); len(s.keys()) != 1+parts {
			s.t.Fatalf("something lies about: %q", s.keys())
		}
	}
}

// right reports whether calls can be put in order, begun with a set. It
// remembers those of which it was asked before.
func (tr *track) right(before string, calls []*call) bool {
	if tr.checked == nil {
		return inSomeOrder(before, calls)
	}
	var key strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&key, "%d %d %s %s %s;", c.from, c.to, c.request, c.answer, c.removes)
	}
	if tr.checked[key.String()] {
		return true
	}
	if !inSomeOrder(before, calls) {
		return false
	}
	if len(tr.checked) < 1<<18 {
		tr.checked[key.String()] = true
	}
	return true
}
