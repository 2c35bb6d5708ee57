package verbtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Usage is how clients use a structure, under the key k, for a long time.
type Usage struct {
	List *verbs.List // the verbs that the clients know
	// Fill creates the structure.
	Fill func(ask func(request string) string)
	// Acts are what clients do with it. Each makes one request or several in turn.
	Acts []func(r *rand.Rand, ask func(request string) string)
	// Parts returns the keys of all items without which the structure is lost.
	Parts func(w *World) []string
}

// AddAct adds an act that makes the request which request returns.
func (u *Usage) AddAct(request func(r *rand.Rand) string) {
	u.Acts = append(u.Acts, func(r *rand.Rand, ask func(string) string) { ask(request(r)) })
}

// PartsOf returns the keys of the head and the parts of the structure under k.
func PartsOf(w *World) []string {
	parts, _ := format.PartKeys([]byte("k"), []byte(w.Value("k")))
	return append(parts, "k")
}

// The steps of time in a usage, and how long a part of a structure in use may remain unread, in
// milliseconds. A proxy reads it after [views.PartsLast]; the other proxy may replace the view
// just then.
const (
	longestStep  = 10_000
	unreadAtMost = 2*views.PartsLast + longestStep
	clockStep    = 3_600_000
)

// usages is how many usages are tried, each with other acts; acts is how many acts each has.
const (
	usages = 120
	acts   = 600
)

// StaysRead checks that memcached does not take a structure in use for one that nobody uses, which
// it would evict first: each part is read again and again, whatever mixture of acts two proxies
// carry out, and also if their clocks are put back or forward. It expects nothing of a structure
// that nobody has read lately.
func StaysRead(t *testing.T, u *Usage) {
	Long(t)
	checked := 0
	for seed := range uint64(usages) {
		r := rand.New(rand.NewPCG(seed, 11))
		p := newUse(t, u, r)
		p.run(fmt.Sprintf("seed %d", seed))
		if checked += p.checked; t.Failed() {
			return
		}
	}
	if checked < usages*acts/10 {
		t.Errorf("the structure was looked at %d times only", checked)
	}
}

// use is one run of a usage.
type use struct {
	*World
	usage   *Usage
	r       *rand.Rand
	proxies [2]*proxy
	callers [2]*Caller
	read    map[string]int64 // when each item was used last, in memcached's time
	looked  int64            // when the head was read last
	since   int64            // since when it has been read all the time
	appends bool             // the last operation was a plain append
	history []string         // the latest requests
	checked int              // how often the parts were looked at
}

func newUse(t *testing.T, u *Usage, r *rand.Rand) *use {
	p := &use{World: NewWorld(t, u.List), usage: u, r: r, read: map[string]int64{}}
	p.Direct, p.Limit, p.Old = true, 600, r.IntN(4) == 0
	p.Settings.StructureItemSize = []int{300, 500, 5000}[r.IntN(3)]
	p.Settings.LongSegment = RandomLong(r, p.Settings.StructureItemSize)
	p.Settings.CompactDirtiness = []int{10, 50, 1 << 30}[r.IntN(3)]
	p.Chance = r.Uint64
	for i := range p.proxies {
		p.proxies[i] = &proxy{World: p.World, schedule: &Schedule{World: p.World}}
		p.proxies[i].decisions, p.proxies[i].precedence = structure.DecisionsOf(r.IntN(3) == 0), new(structure.Precedence)
		if r.IntN(4) > 0 {
			p.proxies[i].Kept = views.Eager([]byte("k"))
		}
		p.callers[i] = NewCaller(t, p.proxies[i], u.List)
	}
	p.since = math.MaxInt64
	return p
}

// run carries out some of the acts, in a random order, and checks the parts after each.
func (p *use) run(name string) {
	p.usage.Fill(p.ask(0))
	some := slices.Clone(p.usage.Acts)
	p.r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	some = some[:1+p.r.IntN(len(some))]
	step := 1 + p.r.Int64N(longestStep)
	for range acts {
		p.Clock += p.r.Int64N(step)
		if p.r.IntN(acts) == 0 {
			p.proxies[p.r.IntN(2)].Ahead += []int64{-clockStep, clockStep}[p.r.IntN(2)]
		}
		some[p.r.IntN(len(some))](p.r, p.ask(p.r.IntN(2)))
		if part, age := p.oldest(); age > unreadAtMost {
			p.T.Errorf("%s: %s was not read for %d s, though the structure was read:\n%s", name, part, age/1000, strings.Join(p.history, "\n"))
			return
		}
	}
}

// ask returns what makes a request through one of the proxies, and returns the answer.
func (p *use) ask(proxy int) func(request string) string {
	c := p.callers[proxy]
	return func(request string) string {
		p.history = append(p.history[max(0, len(p.history)-20):], fmt.Sprintf("%d, proxy %d: %.100q", p.Clock, proxy, request))
		for c.Start(request); c.Busy(); {
			c.CarryOut(0, p.carryOut)
		}
		return c.Answer
	}
}

// carryOut carries out an operation, and notes which item it makes the latest used.
func (p *use) carryOut(op verbs.Op) verbs.Reply {
	key := string(op.Key)
	reply := p.Do(p.T, op)
	p.read[key] = p.Clock
	tells := p.appends && op.Kind == verbs.Probe // the size after an append, which an old memcached does not tell
	p.appends = op.Kind == verbs.Append
	if key == "k" && !tells && (op.Kind == verbs.Fetch || op.Kind == verbs.Probe || op.Kind == verbs.AppendIf) {
		if p.Clock-p.looked > longestStep {
			p.since = p.Clock
		}
		p.looked = p.Clock
	}
	return reply
}

// oldest returns the part of the structure that has remained unread for longest, and for how many
// milliseconds while the structure was read.
func (p *use) oldest() (part string, age int64) {
	if p.Clock-p.looked > longestStep {
		return "", 0
	}
	p.checked++
	for _, key := range p.usage.Parts(p.World) {
		if a := p.Clock - max(p.read[key], p.since); a > age {
			part, age = key, a
		}
	}
	return part, age
}
