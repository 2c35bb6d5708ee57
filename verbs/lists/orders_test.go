package lists

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// remembering is a list as the tokens describe it, and what orders have removed, in the
// plainest way.
type remembering struct {
	list    deque
	removed []batch // the latest last
}

// batch is what the orders with an id have removed.
type batch struct {
	caller, id string
	values     deque
}

// apply applies a log.
func (m remembering) apply(log string) remembering {
	for _, token := range verbtest.Words(log) {
		if len(token) < 3 || token[0] != letter {
			continue
		}
		switch token[1] {
		case signData:
			if token[2] == signValue {
				m.note("+" + token[3:])
			} else {
				m.list = m.list.apply(token)
			}
		case signRemoved:
			m.begin(token[2:])
		case signValue:
			m.note(token[2:])
		case signOrder:
			last := strings.LastIndex(token, ".")
			if id := token[2:last]; !m.isLate(id) {
				m.begin(id)
				m.carryOut(token[last+1:])
			}
		default:
			m.list = m.list.apply(token)
		}
	}
	return m
}

func (m *remembering) isLate(id string) bool {
	words := strings.Split(id, ".")
	return slices.ContainsFunc(m.removed, func(b batch) bool {
		return b.caller == words[0] && number(strings.Split(b.id, ".")[1]) > number(words[1])
	})
}

func (m *remembering) begin(id string) {
	caller, _, _ := strings.Cut(id, ".")
	next := batch{caller: caller, id: id}
	m.removed = slices.Clone(m.removed)
	if i := slices.IndexFunc(m.removed, func(b batch) bool { return b.caller == caller }); i >= 0 {
		if m.removed[i].id == id {
			next = m.removed[i]
		}
		m.removed = slices.Delete(m.removed, i, i+1)
	}
	m.removed = append(m.removed, next)
}

func (m *remembering) note(values ...string) {
	if n := len(m.removed); n > 0 {
		last := &m.removed[n-1]
		last.values = append(slices.Clip(last.values), values...)
	}
}

func (m *remembering) carryOut(what string) {
	all := slices.Clone(m.list)
	switch n := min(number(what[1:]), len(all)); what[0] {
	case removeFirst:
		m.note(all[:n]...)
		m.list = all[n:]
	case removeLast:
		last := slices.Clone(all[len(all)-n:])
		slices.Reverse(last)
		m.note(last...)
		m.list = all[:len(all)-n]
	default:
		start, stop, _ := strings.Cut(what, ":")
		from, to := between(len(all), number(start), number(stop))
		m.list = all[from:to]
	}
}

func (m remembering) String() string { return fmt.Sprint(m.list, m.removed) }

// folded returns what a fold has come to.
func folded(l *List) remembering {
	m := remembering{list: l.all()}
	for i := range l.removed {
		r := &l.removed[i]
		b := batch{caller: string(r.ID.Caller[:]), id: string(r.ID.Append(nil))}
		for e := range l.elementsOf(nil, &r.Is) {
			b.values = append(b.values, e.String())
		}
		m.removed = append(m.removed, b)
	}
	return m
}

// randomOrders returns a log of so many tokens about few values, with orders of few callers.
func randomOrders(r *rand.Rand, tokens, values int) string {
	var b strings.Builder
	for range tokens {
		id := fmt.Sprintf("caller-%c--------.%d.%d", 'a'+r.IntN(3), r.IntN(3), 7)
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "l~%s.%c%d ", id, "()"[r.IntN(2)], r.IntN(3))
		case 1:
			fmt.Fprintf(&b, "l~%s.%d:%d ", id, r.IntN(5)-2, r.IntN(6)-3)
		case 2:
			fmt.Fprintf(&b, "l=%s l:v%d l+:element-%04d.1.d ", id, r.IntN(values), r.IntN(values))
		default:
			b.WriteString(randomLog(r, 1+r.IntN(2), values))
		}
	}
	return b.String()
}

// The laws of [format.Fold] hold for orders too.
func TestLawsOfOrders(t *testing.T) {
	verbtest.Long(t)
	r := rand.New(rand.NewPCG(9, 10))
	for range 8_000 {
		values := 1 + r.IntN(4)
		before, first, second := randomOrders(r, r.IntN(6), values), randomOrders(r, r.IntN(8), values), randomOrders(r, r.IntN(8), values)
		want := remembering{}.apply(first + second).String()
		var l, other List
		elementsOf(t, &l, first)
		if !l.Extend([]byte(first+second), 0) {
			elementsOf(t, &l, first+second)
		}
		if got := folded(&l).String(); got != want {
			t.Fatalf("law 3: %q extended by %q is %s, expected %s", first, second, got, want)
		}
		log := string(l.AppendLog(nil, nil))
		if size := l.LogSize(); size < len(log) {
			t.Fatalf("the log %q of %d bytes counts as %d", log, len(log), size)
		}
		elementsOf(t, &other, log)
		if got := folded(&other).String(); got != want {
			t.Fatalf("law 1: %q has the log %q, which is %s, expected %s", first+second, log, got, want)
		}
		if other.Dead() != 0 || l.Dead() != len(strings.Fields(first+second))-len(strings.Fields(log)) {
			t.Fatalf("%q has %d dead tokens, its log %q has %d", first+second, l.Dead(), log, other.Dead())
		}
		net := string(l.AppendNet(nil, nil))
		got, want := remembering{}.apply(before+net).String(), remembering{}.apply(before+first+second).String()
		if got != want {
			t.Fatalf("law 2: %q has the net %q; after %q that makes %s, expected %s", first+second, net, before, got, want)
		}
	}
}

// What an order has removed is forgotten when its caller gives another, when it has expired,
// and when too many others have given some.
func TestOrdersAreForgotten(t *testing.T) {
	const a, b = "caller-a--------", "caller-b--------"
	for _, test := range []struct {
		log, want string
		now       int64
	}{
		{"l>x l>y l~" + a + ".1.7.(1", "l=" + a + ".1.7 l:x l>y ", 8},
		{"l>x l>y l~" + a + ".1.7.(1 l~" + b + ".1.7.)5", "l=" + a + ".1.7 l:x l=" + b + ".1.7 l:y ", 8},
		{"l>x l>y l~" + a + ".1.7.(1 l~" + a + ".1.7.(1", "l=" + a + ".1.7 l:x l:y ", 8},
		{"l>x l>y l~" + a + ".1.7.(1 l~" + a + ".2.7.(1", "l=" + a + ".2.7 l:y ", 8},
		{"l>x l>y l~" + a + ".2.7.(1 l~" + a + ".1.7.(1", "l=" + a + ".2.7 l:x l>y ", 8},
		{"l>x l>y l~" + a + ".1.7.(1", "l>y ", 8 + format.OrderLasts},
		{"l>x l~" + a + ".1.99999.(1", "", 8},
	} {
		var l List
		if !l.Read(nil, []byte(test.log), test.now) {
			t.Fatal(test.log)
		}
		if got := string(l.AppendLog(nil, nil)); got != test.want {
			t.Errorf("%q comes to %q, expected %q", test.log, got, test.want)
		}
	}
	var log []byte
	for i := range format.MostCallers + 1 {
		log = fmt.Appendf(log, "l~%016d.1.7.(1 ", i)
	}
	var l List
	if elementsOf(t, &l, string(log)); len(l.removed) != format.MostCallers || l.removed[0].ID.Caller[15] != '1' {
		t.Errorf("%d orders are remembered, from %s on", len(l.removed), l.removed[0].ID.Caller)
	}
}

// An order that removes very much is not carried out at once where others would have to wait.
func TestLargeOrdersPause(t *testing.T) {
	log := strings.Repeat("l>x ", verbs.SliceTokens+2)
	order := "l~caller-a--------.1.7."
	for _, what := range []string{fmt.Sprint("(", verbs.SliceTokens+1), "0:0"} {
		var l List
		elementsOf(t, &l, log)
		if l.Extend([]byte(log+order+what), 0) {
			t.Errorf("%s was carried out without a pause", what)
		}
		pauses := 0
		if !l.Read(&verbs.Pace{Slice: verbs.SliceTokens, Pause: func() { pauses++ }}, []byte(log+order+what), 0) || l.Live() != 1 || pauses < 2 {
			t.Errorf("%s left %d elements, after %d pauses", what, l.Live(), pauses)
		}
	}
}

func TestNoOrder(t *testing.T) {
	const id = "caller-a--------"
	var l List
	for _, token := range []string{
		"l~x", "l~" + id, "l~" + id + ".1.7", "l~" + id + ".1.7.", "l~" + id + ".1.7.(", "l~" + id + ".1.7.(-1", "l~" + id + ".1.7.1", "l~" + id + ".1.7.:",
		"l~" + id + ".1.7.1:", "l~" + id + ".1.7:1:2", "l~" + id + "1.7.(1", "l~" + id + ".x.7.(1", "l~" + id + ".1.7.(1x", "l~" + id + ".1..(1",
		"l~" + id + ".99999999999999999999.7.(1", "l=" + id + ".1.7.", "l=" + id + ".1", "l:",
	} {
		if l.Read(nil, []byte(token), 0) {
			t.Errorf("%q was read", token)
		}
	}
}

// Pops and trims succeed although another proxy pushes before each of their operations.
func TestOrdersWhereOthersPushAllTheTime(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		pushed := 0
		w.Expect("rpush k 0", "STORED")
		w.Instead = func(verbs.Op) (verbs.Reply, bool) {
			pushed++
			w.Put("k", w.Value("k")+fmt.Sprintf("l>%d ", pushed), 0, 0)
			return verbs.Reply{}, false
		}
		w.Expect("lpop k", "VALUE k 0 1", "0", "END")
		if ops := pushed; ops > 12+3 { // with those that find out what time it is
			t.Errorf("lpop took %d operations", ops)
		}
		before := pushed
		w.Ahead = 3_600_000 // which does not matter
		w.Expect("lpop k 3", "VALUE k 0 5", "1 2 3", "END")
		if ops := pushed - before; ops > 6 {
			t.Errorf("the next lpop took %d operations", ops)
		}
		w.Expect("rpop k", fmt.Sprintf("VALUE k 0 %d", len(fmt.Sprint(pushed+2))), fmt.Sprint(pushed+2), "END")
		w.Expect("ltrim k 1 -1", "STORED")
		w.Instead = nil
		w.Expect("lrange k 0 0", "VALUE k 0 1", "5", "END")
	})
}

// Where what an order has done is unknown, the call fails rather than to answer that there was
// nothing.
func TestOrderOfEvictedList(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, evict := range []func(){
			func() { w.Evict("k") },
			func() { w.Put("k", "l>other ", 0, 0) },
		} {
			w.Put("k", "l>a l>b ", 0, 0)
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				switch op.Kind {
				case verbs.AppendIf:
					return verbs.Reply{Status: verbs.Exists}, true
				case verbs.Append, verbs.AppendSized:
					r := w.Do(t, op)
					evict()
					return r, true
				}
				return verbs.Reply{}, false
			}
			w.Expect("lpop k", "SERVER_ERROR it is unknown what this has changed of k: it was deleted or evicted meanwhile, or that took more than a minute")
		}
	})
}

// What has replaced a list is not spoilt by an order.
func TestNoOrderForWhatHasReplacedAList(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("k", "l>a l>b ", 0, 0)
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			return verbs.Reply{Status: verbs.Exists}, op.Kind == verbs.AppendIf
		}
		w.Expect("lpop k", "VALUE k 0 1", "a", "END") // by an order, and so are the next ones
		w.Put("k", "hello world", 0, 0)
		w.Expect("lpop k", "CLIENT_ERROR k does not hold a list")
		w.Holds("k", "hello world")
	})
}
