package verbtest

import (
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Complaint says what is wrong with a schedule.
type Complaint string

// strict is a test whose Fatalf ends only the schedule, by a panic.
type strict struct{ testing.TB }

func (strict) Helper() {} // the real one takes time

func (strict) Fatalf(format string, args ...any) { panic(Complaint(fmt.Sprintf(format, args...))) }

// Flags and time to live, in seconds, of the head before a race. They must survive it to the second.
const (
	headFlags = 7
	headTTL   = 1000
)

// jumpsOften is how many steps there are between two jumps of clocks.
const jumpsOften = 6

// Track runs races, one after another.
type Track struct {
	rules   *Rules
	world   *World
	proxies [2]*proxy
	pools   [2]*Pool        // callers of the proxies
	checked map[uint64]bool // hashes of correct histories, nil if they are not remembered
	history []byte          // scratch for one of them
	tell    bool            // schedules note their operations, to be told of
}

// hashing is the seed of the hashes of histories.
var hashing = maphash.MakeSeed()

// NewTrack returns a track for races that must obey rules.
func NewTrack(t testing.TB, rules *Rules) *Track {
	tr := &Track{rules: rules, world: NewWorld(strict{t}, rules.List)}
	for i := range tr.proxies {
		tr.proxies[i] = &proxy{World: tr.world}
		tr.pools[i] = &Pool{T: tr.world.T, Env: tr.proxies[i], List: rules.List}
	}
	return tr
}

// proxy is one of several proxies in front of the memcached.
type proxy struct {
	*World
	eventLoop
	schedule *Schedule
}

// Now implements [verbs.Env].
func (p *proxy) Now() int64 { return p.Clock + p.Ahead }

// AwaitEndOfTurn implements [structure.Env].
func (p *proxy) AwaitEndOfTurn() { p.schedule.turns = append(p.schedule.turns, p) }

// Post implements [structure.Env].
func (p *proxy) Post(fn func()) bool {
	p.schedule.waits.posted = append(p.schedule.waits.posted, fn)
	return true
}

// TakeAlong implements [structure.Env].
func (p *proxy) TakeAlong(_, key []byte, most int) []byte { return p.schedule.takeAlong(p, key, most) }

// TookAlong implements [structure.Env].
func (p *proxy) TookAlong(_, key []byte, outcome verbs.Reply) { p.schedule.tookAlong(p, key, outcome) }

// Run runs a race and returns what is wrong, empty if nothing is.
func (tr *Track) Run(r *Race, choose Chooser) (s *Schedule, wrong Complaint) {
	w := tr.world
	w.Model, w.hints, w.shared = NewModel(), verbs.Hints{}, verbs.Shared{}
	w.Old, w.Direct, w.Settings, w.Chance = r.Old, r.Direct, r.Options, Counter(math.MaxUint64)
	if r.Chance != nil {
		w.Chance = r.Chance()
	}
	if r.Limit > 0 {
		w.Limit = r.Limit
	}
	if w.Near = nil; r.Near {
		w.Near = &Near{Lasts: 1 << 20}
	}
	for i, p := range tr.proxies {
		p.eventLoop = eventLoop{decisions: structure.DecisionsOf(r.Orders), precedence: new(structure.Precedence)}
		p.Ahead = int64(i) * r.Skew
		if r.Sharing {
			p.precedence = tr.proxies[0].precedence
		}
		if r.Views {
			p.Kept = views.Eager([]byte("k"))
		}
		if tr.checked != nil { // probes of parts, or a look at memcached's clock, would make too many schedules
			p.hints.Note("k", verbs.Hint{At: p.Uptime()})
			p.decisions.NoteClock([]byte("k"), 0, p.Uptime())
		}
	}
	s = NewSchedule(w, choose, tr.pools[:], r.Clients)
	for _, p := range tr.proxies {
		p.schedule = s
	}
	if r.Waits {
		s.waits = s.newWaits(tr.pools[:], r.Sharing, tr.rules.Look)
	}
	s.Key, s.Fewer, s.Slice, s.Intent, s.Ends, s.silent = "k", tr.checked != nil, r.Slice, tr.rules.Intent, tr.rules.Ends, !tr.tell
	if r.Elapse > 0 || r.Jumps > 0 {
		steps := rand.New(rand.NewPCG(7, 7))
		s.Elapse = func() {
			w.Clock += steps.Int64N(max(r.Elapse, 1))
			if r.Jumps > 0 && steps.IntN(jumpsOften) == 0 {
				i := steps.IntN(len(tr.proxies))
				tr.proxies[i].Ahead = int64(i)*r.Skew + r.Jumps*[]int64{0, 0, 1, 1, -1}[steps.IntN(5)]
			}
		}
	}
	defer func() {
		if err := recover(); err != nil {
			wrong = err.(Complaint)
			for _, p := range tr.pools {
				p.Idle = nil
			}
		}
	}()
	before, expires := "", int64(Never)
	if r.Log != "none" {
		ttl := r.TTL
		if tr.checked == nil { // else looking at memcached's clock would make too many schedules
			ttl = headTTL
		}
		w.Put("k", r.Log, headFlags, ttl)
		before, expires = tr.rules.Before(r.Log), w.Find("k").Expires
	}
	for _, key := range r.Items {
		w.Put(key, key, headFlags, 0)
	}
	if len(r.First) > 0 {
		first := NewSchedule(w, &AsBefore{}, tr.pools[:], r.First)
		first.silent = s.silent
		first.Run()
		s.Calls, s.Step = first.Calls, first.Step
	}
	s.Run()
	w.Near = nil // what is looked at last is memcached
	tr.check(r, s, before, expires)
	return s, ""
}

// check checks the history of a schedule and panics with a Complaint if it is wrong.
func (tr *Track) check(r *Race, s *Schedule, before string, expires int64) {
	for _, c := range s.Calls {
		switch {
		case strings.HasPrefix(c.Request, "vanish"):
		case c.Answer == "", strings.HasPrefix(c.Answer, "CLIENT_ERROR"), strings.HasPrefix(c.Answer, "ERROR"),
			strings.HasPrefix(c.Answer, "SERVER_ERROR") && !s.Troubled && !tr.excused(c):
			s.T.Fatalf("%s: answered %q", c.Request, c.Answer)
		}
	}
	s.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		r := s.do(op)
		s.Note("at last", op, r)
		return r, true
	}
	s.Step++
	if tr.rules.Ends {
		s.Calls = append(s.Calls, &Call{Request: "life k", Answer: tr.life(s, before, expires), From: s.Step, To: s.Step, Begun: s.Clock, Since: s.Clock, Ended: s.Clock})
		s.Step++
	}
	last := &Call{Request: tr.rules.Look, From: s.Step, To: s.Step, Begun: s.Clock, Since: s.Clock, Ended: s.Clock}
	last.Answer = s.Send(last.Request)
	s.Calls = append(s.Calls, last)
	if !tr.right(before, s.Calls) {
		s.T.Fatalf("at last: %q: no order of the calls explains the answers", last.Answer)
	}
	vanished := slices.ContainsFunc(s.Calls, func(c *Call) bool { return c.Request[:3] == "end" || strings.HasPrefix(c.Request, "vanish") })
	if i := s.Find("k"); before != "" && !vanished {
		if i == nil || i.Flags != headFlags || i.Expires != expires {
			s.T.Fatalf("flags and time to live are lost: %+v", i)
		}
	}
	if stray := tr.stray(s); !s.Troubled && len(stray) > 0 {
		s.T.Fatalf("something lies about: %q", stray)
	}
}

// FirstLife is the answer to "life k" of the structure that was there before the race.
const FirstLife = "first"

// life returns how long the structure lives now: FirstLife if as long as the one before the race, which
// expires at a time; the exptime of the call that has made it, which is a multiple of lifeUnit; or "-"
// if there is none.
func (tr *Track) life(s *Schedule, before string, expires int64) string {
	switch i := s.Find("k"); {
	case i == nil:
		return "-"
	case before != "" && i.Expires == expires:
		return FirstLife
	case i.Expires == Never:
		return "0"
	default:
		return fmt.Sprint((i.Expires - s.Seconds() + lifeUnit - 1) / lifeUnit * lifeUnit)
	}
}

// excused reports whether the outcome of c is unknown for a good reason.
func (tr *Track) excused(c *Call) bool {
	return tr.rules.Unknown != "" && strings.HasPrefix(c.Answer, tr.rules.Unknown)
}

// stray returns the keys of items that belong to no structure, nor to one that has expired: its parts, which have no time to
// live, are left for memcached to evict.
func (tr *Track) stray(s *Schedule) []string {
	var keys, left []string
	switch head := s.Find("k"); {
	case tr.rules.Stray != nil:
		keys = tr.rules.Stray(s.World, s.Calls)
	case head != nil:
		left, _ = format.PartKeys([]byte("k"), head.Value)
		keys = s.Keys()
	}
	for _, c := range s.Calls {
		if c.Expired {
			parts, _ := format.PartKeys([]byte("k"), []byte(c.Gone))
			left = append(left, parts...)
		}
	}
	return slices.DeleteFunc(keys, func(key string) bool { return key == "k" || slices.Contains(left, key) })
}

// right is [Rules.Right]. It remembers correct histories.
func (tr *Track) right(before string, calls []*Call) bool {
	if tr.checked == nil {
		return tr.rules.Right(before, calls)
	}
	tr.history = tr.history[:0]
	for _, c := range calls {
		tr.history = c.appendTo(tr.history)
	}
	hash := maphash.Bytes(hashing, tr.history)
	if tr.checked[hash] {
		return true
	}
	if !tr.rules.Right(before, calls) {
		return false
	}
	if len(tr.checked) < 1<<18 {
		tr.checked[hash] = true
	}
	return true
}

// appendTo appends all that rules may look at.
func (c *Call) appendTo(history []byte) []byte {
	for _, n := range []int64{int64(c.From), int64(c.To), c.Since, c.Ended, c.Exptime} {
		history = append(strconv.AppendInt(history, n, 36), ' ')
	}
	for _, text := range []string{c.Request, c.Answer, c.Intent, c.Head} {
		history = append(append(history, text...), 0)
	}
	return history
}
