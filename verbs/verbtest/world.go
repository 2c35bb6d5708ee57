package verbtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// World is a memcached with one client, whose operations are carried out immediately
// and in order.
type World struct {
	*Model
	eventLoop    // of its client's proxy
	T            testing.TB
	list         *verbs.List // the verbs that its client knows
	Settings     verbs.Options
	Chance       func() uint64 // returns the random numbers
	LimitUnknown bool
	Memory       int             // the most that a call can have, in bytes; 0 if there is no limit
	Silent       int64           // what Silence returns
	Long         map[string]bool // arguments of NoteOutgrown
	Lost         []string        // arguments of NoteLost
	Foreign      []string        // keys, kinds and numbers of tokens that NoteForeign was given
	Full         []string        // arguments of NoteFull
	Uncached     []string        // arguments of NoteUncached
	Client       *Caller
	scratch      structure.Scratch
	Near         *Near                              // nil if all calls ask
	alternatives []way                              // scratch of [Schedule.ways]
	Former       *Model                             // a former place of all structures; nil if there is none
	Instead      func(verbs.Op) (verbs.Reply, bool) // replies in place of the model if it returns true
}

// eventLoop is what the calls of an event loop of a proxy have in common.
type eventLoop struct {
	Ahead      int64        // milliseconds by which the clock of the proxy is ahead of memcached's
	Kept       *views.Views // nil if no views are kept
	decisions  structure.Decisions
	precedence *structure.Precedence
	hints      verbs.Hints
	shared     verbs.Shared
}

// Views implements [structure.Env].
func (l *eventLoop) Views() *views.Views { return l.Kept }

// Decisions implements [structure.Env].
func (l *eventLoop) Decisions() *structure.Decisions { return &l.decisions }

// Precedence implements [structure.Env].
func (l *eventLoop) Precedence() *structure.Precedence { return l.precedence }

// Hints implements [verbs.Env].
func (l *eventLoop) Hints() *verbs.Hints { return &l.hints }

// Shared implements [verbs.Env].
func (l *eventLoop) Shared() *verbs.Shared { return &l.shared }

// Now implements [verbs.Env].
func (w *World) Now() int64 { return w.Clock + w.Ahead }

// Uptime implements [verbs.Env].
func (w *World) Uptime() int64 { return w.Clock }

// AppendCreates implements [verbs.Env].
func (w *World) AppendCreates([]byte) bool { return !w.Old }

// Silence implements [verbs.Env].
func (w *World) Silence([]byte) int64 { return w.Silent }

// Upstream implements [verbs.Env].
func (w *World) Upstream([]byte) string { return "model" }

// FormerPlaces implements [verbs.Env].
func (w *World) FormerPlaces([]byte) []verbs.Place {
	if w.Former == nil {
		return nil
	}
	return []verbs.Place{1}
}

// Do carries out op at the place that it asks.
func (w *World) Do(t testing.TB, op verbs.Op) verbs.Reply {
	if op.At == 0 {
		return w.Model.Do(t, op)
	}
	w.Former.Clock = w.Clock
	return w.Former.Do(t, op)
}

// Leave has what is stored so far remain at a former place, and the servers store nothing yet that own the structures now.
func (w *World) Leave() {
	w.Former = w.Model
	w.Model = NewModel()
	w.Clock, w.Old = w.Former.Clock, w.Former.Old
}

// ClientKey implements [verbs.Env].
func (w *World) ClientKey(stored []byte) []byte { return stored }

// Options implements [verbs.Env].
func (w *World) Options() *verbs.Options { return &w.Settings }

// Random implements [verbs.Env].
func (w *World) Random() uint64 { return w.Chance() }

// KeepScratch implements [structure.Env].
func (w *World) KeepScratch(s structure.Scratch) { w.scratch = s }

// TakeScratch implements [structure.Env].
func (w *World) TakeScratch() (s structure.Scratch) {
	s, w.scratch = w.scratch, s
	return s
}

// AsksNow implements [structure.Env].
func (w *World) AsksNow([]byte) int64 {
	if w.Near == nil {
		return 0
	}
	return w.Near.now(w.Clock)
}

// Recent implements [structure.Env].
func (w *World) Recent(_ []byte, asked int64) bool {
	return w.Near != nil && w.Near.recent(w.Clock, asked)
}

// AwaitEndOfTurn implements [structure.Env].
func (w *World) AwaitEndOfTurn() {}

// Post implements [structure.Env]. Where there are several loops, the schedule has them do what is posted.
func (w *World) Post(fn func()) bool {
	fn()
	return true
}

// Hold implements [structure.Env].
func (w *World) Hold(_, _ []byte, on bool) {}

// Overdue implements [structure.Env].
func (w *World) Overdue(_, _ []byte) bool { return false }

// TakeAlong implements [structure.Env].
func (w *World) TakeAlong(_, _ []byte, _ int) []byte { return nil }

// TookAlong implements [structure.Env].
func (w *World) TookAlong(_, _ []byte, _ verbs.Reply) {}

// Outgrown implements [verbs.Env].
func (w *World) Outgrown(key []byte) bool { return w.Long[string(key)] }

// NoteOutgrown implements [verbs.Env].
func (w *World) NoteOutgrown(key []byte) { w.Long[string(key)] = true }

// NoteLost implements [structure.Env].
func (w *World) NoteLost(_, key []byte, _ string) { w.Lost = append(w.Lost, string(key)) }

// NoteForeign implements [structure.Env].
func (w *World) NoteForeign(_, key []byte, kind string, tokens int) {
	w.Foreign = append(w.Foreign, fmt.Sprintf("%s %s %d", key, kind, tokens))
}

// NoteFull implements [verbs.Env].
func (w *World) NoteFull(_, key []byte) { w.Full = append(w.Full, string(key)) }

// NoteUncached implements [structure.Env].
func (w *World) NoteUncached(_, key []byte, _ int) { w.Uncached = append(w.Uncached, string(key)) }

// MostMemory implements [verbs.Env].
func (w *World) MostMemory() int {
	if w.Memory == 0 {
		return math.MaxInt
	}
	return w.Memory
}

// ItemLimit implements [verbs.Env].
func (w *World) ItemLimit(_, key []byte) int {
	if w.LimitUnknown {
		return 0
	}
	return w.Limit + len(key) + verbs.ItemOverhead
}

// NewWorld returns a world whose client knows the verbs of list.
func NewWorld(t testing.TB, list *verbs.List) *World {
	w := &World{Model: NewModel(), T: t, list: list, Long: map[string]bool{}, Chance: rand.NewPCG(1, 2).Uint64}
	w.Settings = verbs.Options{CompactDirtiness: 50, StructureItemSize: 64 << 10, LogChunk: 10_000, LogChunks: 10}
	w.precedence = new(structure.Precedence)
	w.Client = NewCaller(t, w, list)
	return w
}

// OnBoth runs test with a new and with an old memcached, whose clients know the verbs of
// list.
func OnBoth(t *testing.T, list *verbs.List, test func(*testing.T, *World)) {
	t.Run("new", func(t *testing.T) { test(t, NewWorld(t, list)) })
	t.Run("old", func(t *testing.T) {
		w := NewWorld(t, list)
		w.Old = true
		test(t, w)
	})
}

// Send returns the answer to a request.
func (w *World) Send(text string) string {
	w.T.Helper()
	w.Client.Start(text)
	for w.Client.Busy() {
		if w.Client.Waits() {
			w.decisions.EndTurn(w)
		}
		w.Client.CarryOut(0, func(op verbs.Op) verbs.Reply {
			if w.Instead != nil {
				if r, ok := w.Instead(op); ok {
					return r
				}
			}
			return w.Do(w.T, op)
		})
	}
	return w.Client.Answer
}

// Glance returns the answer to a request without asking memcached, "" if there is none.
func (w *World) Glance(text string) string {
	var req protocol.Request
	defer parse(w.T, w.list, text, &req)()
	verb := w.list.Of(&req)
	if verb.Glance == nil {
		return ""
	}
	return string(verbs.NewGlances(w).Answer(verb, &req))
}

// Expect sends a request and compares the answer with the lines in want.
func (w *World) Expect(request string, want ...string) {
	w.T.Helper()
	if got := w.Send(request); got != strings.Join(want, "\r\n")+"\r\n" {
		w.T.Errorf("%q: answered %.300q, expected %.300q", request, got, want)
	}
}

// Holds compares the value of an item with want, which is "none" for no item.
func (w *World) Holds(key, want string) {
	w.T.Helper()
	if got := w.Value(key); got != want {
		w.T.Errorf("%s holds %.300q, expected %.300q", key, got, want)
	}
}

// Cost compares the number of operations of the last call with want.
func (w *World) Cost(want int) {
	w.T.Helper()
	if w.Client.Done != want {
		w.T.Errorf("%q: took %d operations, expected %d", w.Client.asked, w.Client.Done, want)
	}
}

// Names returns the words m0 to m<n-1>, each with prefix and suffix.
func Names(n int, prefix, suffix string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sm%d%s", prefix, i, suffix)
	}
	return b.String()
}

// Lines splits an answer into its lines.
func Lines(answer string) []string { return strings.Split(strings.TrimSuffix(answer, "\r\n"), "\r\n") }
