package execution

import (
	"slices"
	"testing"

	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/lists"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// unlimited is what verbs know of an executor whose upstream has not told how long items may be.
type unlimited struct{ *verbEnv }

func (unlimited) ItemLimit(_, _ []byte) int { return 0 }

// newLeading returns an executor with a queue whose appends, two pushes of a, lead.
func newLeading(t *testing.T) (*Executor, *appendQueue) {
	key := []byte("k")
	x, push := newAppending(t, key)
	x.env.views, x.Time = views.Eager(key), latency.NewClock()
	x.appends.env = unlimited{&x.env}
	x.Options, x.Precedence = &verbs.Options{StructureItemSize: 1000}, &structure.Precedence{}
	fold := lists.Kind.New()
	fold.Read(nil, []byte("l>a "), 0)
	v := views.NewView(&views.Reading{Key: key, Reply: verbs.Reply{Status: verbs.Hit, CAS: 7, Size: 4}, Head: format.Head{Tail: []byte("l>a "), Letter: lists.Kind.Letter}, Log: []byte("l>a ")}, &lists.Kind, fold)
	v.Standing = views.Decided
	x.env.views.Keep(v)
	push(&Caller{}, 1, "l>a ")
	push(&Caller{}, 2, "l>a ")
	q := x.appends.queueOf(key, key)
	f := &q.flight
	f.op = verbs.Op{Kind: verbs.AppendOrCreate, Key: q.key, Of: q.structure, Data: []byte("l>a l>a ")} // as send does it, but for sending
	q.waiting = f.fill(q.waiting, 2)
	if f.led = structure.LeadAppend(x.appends.env, &f.op, false); !f.led.Leads() || f.op.Kind != verbs.AppendIf || f.op.CAS != 7 {
		t.Fatalf("the appends do not lead: operation %d with CAS %d", f.op.Kind, f.op.CAS)
	}
	f.state = f.state.leads()
	return x, q
}

// All calls whose appends lead together get the outcome, and only one of them is told by how much the structure has grown.
func TestLedAppendsAreAnswered(t *testing.T) {
	for _, outcome := range []verbs.Reply{{Status: verbs.Stored, CAS: 8, Size: 12}, {Err: "SERVER_ERROR lost"}} {
		x, q := newLeading(t)
		q.receive(outcome)
		if n := len(x.appends.replies); n != 2 || q.flight.state != empty {
			t.Fatalf("outcome %v: %d calls are answered, the flight has state %d", outcome, n, q.flight.state)
		}
		for i, r := range x.appends.replies {
			if r.reply.Status != outcome.Status || r.reply.Err != outcome.Err || (r.reply.Grown > 0) != (i == 0) {
				t.Errorf("outcome %v: call %d is told %+v", outcome, i, r.reply)
			}
		}
		if size := x.env.views.Find([]byte("k")).Size; (size == 12) != (outcome.Status == verbs.Stored) {
			t.Errorf("outcome %v: the view has %d bytes", outcome, size)
		}
	}
}

// Appends that others have come before are sent once more, without a condition, also while a verb holds the item: so they are
// refused once at most.
func TestLedAppendsAreSentOnceMore(t *testing.T) {
	for _, status := range []verbs.Status{verbs.Exists, verbs.NotStored, verbs.Missing} {
		x, q := newLeading(t)
		data := slices.Clone(q.flight.op.Data)
		x.Options.ReadOnly = true // so that the second attempt is answered at once
		q.receive(verbs.Reply{Status: status})
		if op := &q.flight.op; op.Kind != verbs.AppendOrCreate || op.CAS != 0 || !slices.Equal(op.Data, data) || len(x.appends.replies) > 0 {
			t.Errorf("status %d: operation %d with %q and CAS %d is sent, and %d calls are answered", status, op.Kind, op.Data, op.CAS, len(x.appends.replies))
		}
		if q.flight.state != answered || len(x.appends.answered) != 1 {
			t.Errorf("status %d: the flight has state %d", status, q.flight.state)
		}
	}
}
