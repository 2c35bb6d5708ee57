package sets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// setRace is several clients at work on the set k.
type setRace struct {
	name    string
	log     string // what is there before, "none" for nothing
	clients [][]string

	options verbs.Options
	old     bool
	long    bool                 // with mishaps, as there are most of a million schedules
	onlyNew bool                 // as there are too many schedules on an old memcached
	limit   int                  // the longest value, 0 for memcached's own
	direct  bool                 // see verbtest.Model
	chance  func() func() uint64 // Random
	elapse  int64                // how many milliseconds pass with each step at most
	slice   int                  // see verbtest.Schedule
	views   bool                 // the proxies keep views
	skew    int64                // how far the clock of the second proxy is ahead, in milliseconds
}

// Heads that are always too long, so that whoever appends settles; that are with
// more than six members, or a pointer and two tokens; and that never are.
var (
	tiny  = verbs.Options{StructureItemSize: 4}
	small = verbs.Options{StructureItemSize: 34} // settled at 30
	roomy = verbs.Options{StructureItemSize: 1 << 20}
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
	world   *verbtest.World
	proxies [2]*proxy
	pools   [2]*verbtest.Pool // of the proxies
	checked map[string]bool   // histories that were found right, nil if they are not to be remembered
}

func newTrack(t testing.TB) *track {
	tr := &track{world: newWorld(strict{t})}
	for i := range tr.proxies {
		tr.proxies[i] = &proxy{World: tr.world}
		tr.pools[i] = &verbtest.Pool{T: tr.world.T, Env: tr.proxies[i], List: theVerbs}
	}
	return tr
}

// proxy is one of several in front of a memcached.
type proxy struct {
	*verbtest.World
	kept      *structure.Views
	decisions structure.Decisions
	ahead     int64 // of the memcached's clock, in milliseconds
}

func (p *proxy) Now() int64              { return p.World.Clock + p.ahead }
func (p *proxy) Views() *structure.Views { return p.kept }

func (p *proxy) Decisions() *structure.Decisions { return &p.decisions }

// run runs a race and returns what is wrong, if something is.
func (tr *track) run(r *setRace, choose verbtest.Chooser) (s *verbtest.Schedule, wrong complaint) {
	w := tr.world
	w.Model = verbtest.NewModel()
	w.Old, w.Direct, w.Settings, w.Chance = r.old, r.direct, r.options, counter(math.MaxUint64)
	if r.chance != nil {
		w.Chance = r.chance()
	}
	if r.limit > 0 {
		w.Limit = r.limit
	}
	for i, p := range tr.proxies {
		p.decisions = structure.Decisions{}
		if p.kept = nil; r.views {
			p.kept = structure.EagerViews([]byte("k"))
		}
		p.ahead = int64(i) * r.skew
	}
	s = verbtest.NewSchedule(w, choose, tr.pools[:], r.clients)
	s.Key, s.Fewer, s.Slice, s.Intent = "k", tr.checked != nil, r.slice, removes
	if r.elapse > 0 {
		steps := rand.New(rand.NewPCG(7, 7))
		s.Elapse = func() { w.Clock += steps.Int64N(r.elapse) }
	}
	defer func() {
		if err := recover(); err != nil {
			wrong = err.(complaint)
			for _, p := range tr.pools {
				p.Idle = nil
			}
		}
	}()
	begun := w.Seconds()
	before := r.begin(w)
	s.Run()
	tr.check(r, s, before, begun)
	return s, ""
}

// begin puts what the race begins with into w, and returns that set.
func (r *setRace) begin(w *verbtest.World) string {
	if r.log == "none" {
		return ""
	}
	w.Put("k", r.log, 7, raceTTL)
	var set Set
	set.Read(nil, []byte(r.log), 0)
	return "!" + letters(strings.Fields(string(set.AppendMembers(nil, nil))))
}

// check complains if what the schedule of a race did is not right.
func (tr *track) check(r *setRace, s *verbtest.Schedule, before string, begun int64) {
	vanished := false
	for _, c := range s.Calls {
		switch {
		case strings.HasPrefix(c.Request, "vanish"):
			vanished = true
		case c.Answer == "", strings.HasPrefix(c.Answer, "CLIENT_ERROR"), strings.HasPrefix(c.Answer, "ERROR"),
			strings.HasPrefix(c.Answer, "SERVER_ERROR") && !s.Troubled:
			s.T.Fatalf("%s: answered %q", c.Request, c.Answer)
		}
	}
	s.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		r := s.Do(s.T, op)
		s.Note("at last", op, r)
		return r, true
	}
	s.Calls = append(s.Calls, did("smembers k", s.Send("smembers k"), s.Step+1, s.Step+1))
	if !tr.right(before, s.Calls) {
		s.T.Fatalf("at last: %q: no order of the calls explains the answers", s.Calls[len(s.Calls)-1].Answer)
	}
	if i := s.Find("k"); before != "" && !vanished {
		if i == nil || i.Flags != 7 || i.Expires < begun+raceTTL || i.Expires > s.Seconds()+raceTTL {
			s.T.Fatalf("flags and time to live are lost: %+v", i)
		}
	}
	if !s.Troubled && s.Find("k") != nil {
		if keys, _ := structure.PartKeys([]byte("k"), s.Find("k").Value); len(s.Keys()) != 1+len(keys) {
			s.T.Fatalf("something lies about: %q", s.Keys())
		}
	}
}

// removes returns the letters of the members that a spop is about to remove, as the tokens
// in its buffer say.
func removes(request string, tokens []byte) string {
	if !strings.HasPrefix(request, "spop") {
		return ""
	}
	return letters(strings.Fields(strings.ReplaceAll(" "+string(tokens), " -", " ")))
}

// right reports whether calls can be put in order, begun with a set. It
// remembers those of which it was asked before.
func (tr *track) right(before string, calls []*verbtest.Call) bool {
	if tr.checked == nil {
		return inSomeOrder(before, calls)
	}
	var key strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&key, "%d %d %s %s %s;", c.From, c.To, c.Request, c.Answer, c.Intent)
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
