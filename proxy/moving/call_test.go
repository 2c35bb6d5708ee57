package moving

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A command by itself is answered as by one memcached, and leaves the same item with the same flags and, within two seconds, the same
// time to live, on one of the servers.
func TestAlone(t *testing.T) {
	t.Parallel()
	for _, s := range situations {
		for p := Both; p <= Ending; p++ {
			if s.item != "" && !mayHave(s.at, both+stage(p), both+stage(p)) && p != Both {
				continue
			}
			for _, line := range s.commands {
				alone(t, p, s.item, s.at, line)
			}
		}
	}
}

func alone(t *testing.T, p Phase, item string, at Server, line string) {
	t.Helper()
	const ttl = 100
	w := newWorld(both+stage(p), both+stage(p), "", at, [][]string{{line}})
	var one memcached
	if item != "" {
		w.servers[at].store(item, 3, w.now+ttl)
		one.store(item, 3, w.now+ttl)
	}
	w.begin(w.clients[0])
	k := w.calls[0]
	for len(w.calls) > 0 {
		w.now++
		w.advance(k)
	}
	right := oneServer(&one, k.command)
	if k.said != right {
		t.Errorf("phase %d, %q on server %d, %s: %q, expected %q", p, item, at, line, k.said, right)
	}
	var left *stored
	for i := range w.servers {
		w.servers[i].expire(w.now)
		switch found := w.servers[i].item; {
		case found == nil:
		case left != nil:
			t.Fatalf("phase %d, %q on server %d, %s: an item on both servers\n%s", p, item, at, line, w)
		default:
			left = found
		}
	}
	late := int64(tolerance)
	if k.ttl > 0 {
		late += w.now - k.at // it was carried out as late as that
	}
	switch want := one.item; {
	case (left == nil) != (want == nil):
		t.Errorf("phase %d, %q on server %d, %s: there is %v, expected %v\n%s", p, item, at, line, left, want, w)
	case want != nil && (string(left.Data) != string(want.Data) || left.Flags != want.Flags || left.expires > want.expires+late || left.expires < want.expires-tolerance):
		t.Errorf("phase %d, %q on server %d, %s: there is %v, expected %v", p, item, at, line, left, want)
	}
	if p == Moving && w.servers[Old].item != nil {
		t.Errorf("%q on server %d, %s: it was not moved", item, at, line)
	}
}

// oneServer carries out a command on one server.
func oneServer(m *memcached, cmd command) string {
	o := plain(cmd.verb, Old)
	if o.Do == Look && m.item != nil {
		return "=" + string(m.item.Data)
	}
	r, text := m.carryOut(o, cmd, Item{}, 1000)
	if cmd.verb == "count" && r.Outcome == Absent {
		_, text = m.carryOut(Operation{Do: Create}, cmd, Item{}, 1000)
	}
	return text
}

// The time to live of an item that moves is what is left of it, less the time for which it was between the servers.
func TestTimeToLive(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		left   int64
		passed time.Duration
		want   int64
		gone   bool
	}{{Never, time.Hour, Never, false}, {10, 900 * time.Millisecond, 10, false}, {10, 3 * time.Second, 7, false}, {2, 2 * time.Second, 0, true}} {
		i, expired := Item{TTL: x.left}.after(x.passed)
		if i.TTL != x.want || expired != x.gone {
			t.Errorf("%d s left, %v later: %d, %v", x.left, x.passed, i.TTL, expired)
		}
	}
}

// Whatever servers reply, a call ends, answers once, and asks for nothing again that may have been carried out.
func TestCallsEnd(t *testing.T) {
	t.Parallel()
	const most = 400
	for seed := range uint64(50_000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var c Call
		var now time.Duration
		lossless := r.IntN(2)
		answers, carriedOut := 0, false
		s := c.Begin(Kind(r.IntN(int(Count)+1)), Phase(r.IntN(3)))
		for n := 0; ; n++ {
			if s.Answer != NoAnswer {
				answers++
			}
			if s.Operation.Do == Nothing {
				break
			}
			if n > most {
				t.Fatalf("seed %d: it goes on and on", seed)
			}
			ofClient := s.Operation.Do == Act || s.Operation.Do == Create
			if ofClient && carriedOut {
				t.Fatalf("seed %d: it is carried out twice", seed)
			}
			reply := Reply{Outcome: Outcome(lossless + r.IntN(int(Refused)+1-lossless)), Placeholder: r.IntN(3) == 0, Item: Item{CAS: 1 + r.Uint64N(4), TTL: int64(r.IntN(10)) - 1}}
			carriedOut = carriedOut || ofClient && (reply.Outcome == Lost || reply.found())
			now += time.Duration(r.IntN(3)) * time.Second
			s = c.Next(&reply, now)
		}
		if answers != 1 {
			t.Fatalf("seed %d: %d answers", seed, answers)
		}
	}
}

// If proxies that know nothing of placeholders ran beside some that still make them, a client would see one, or change it.
func TestWhyThereIsAnEnding(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100_000) {
		w := newWorld(moving, after, "", Old, [][]string{{"add v1."}, {"append v2.", "get"}})
		w.run(verbtest.NewRandom(seed, 0), false)
		if !w.explained() {
			return
		}
	}
	t.Error("no schedule needs it")
}

// If a proxy went on to the phase Ending while the old server still has an item, that would come back.
func TestWhyTheOldServerIsEmptied(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100_000) {
		w := newWorld(moving, ending, "v0.", Old, [][]string{{"get"}, {"set v1."}})
		w.run(verbtest.NewRandom(seed, 0), false)
		w.proxies[1].stage = moving
		if w.observes(false); !w.explained() {
			return
		}
	}
	t.Error("no schedule needs it")
}

func TestKinds(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]Kind{
		"get k": Get, "gets k": Gets, "gat 1 k": Change, "gats 1 k": Change, "touch k 1": Change,
		"set k 0 0 1\r\nx": Set, "add k 0 0 1\r\nx": Add, "replace k 0 0 1\r\nx": Rewrite, "append k 0 0 1\r\nx": Rewrite,
		"prepend k 0 0 1\r\nx": Rewrite, "cas k 0 0 1 7\r\nx": Change, "delete k": Remove, "incr k 1": Change, "decr k 1": Change,
		"mg k v": Get, "mg k v c": Gets, "mg k v T1": Change, "me k": Get,
		"ms k 1\r\nx": Set, "ms k 1 MS\r\nx": Set, "ms k 1 C7\r\nx": Change, "ms k 1 ME\r\nx": Add, "ms k 1 MA\r\nx": Rewrite, "ms k 1 MR C7\r\nx": Change,
		"md k": Remove, "md k C7": Change, "ma k": Change, "ma k N0 J7": Count,
	} {
		if got, refusal := KindOf(parsed(t, line)); got != want || refusal != "" {
			t.Errorf("%q: kind %d, expected %d, %s", line, got, want, refusal)
		}
	}
	for _, line := range []string{"mg k v N30", "mg k v R30", "ms k 1 E7\r\nx", "ms k 1 I\r\nx", "ms k 1 MA N0\r\nx", "md k I", "ma k E7"} {
		if _, refusal := KindOf(parsed(t, line)); !strings.Contains(refusal, "while the key moves") {
			t.Errorf("%q: %q", line, refusal)
		}
	}
}

func parsed(t *testing.T, line string) *protocol.Request {
	t.Helper()
	var req protocol.Request
	p := protocol.Parser{MaxData: 10}
	if _, status := p.Next([]byte(line+"\r\n"), &req); status != protocol.Ready || req.Refusal != "" {
		t.Fatalf("%q: %v %s", line, status, req.Refusal)
	}
	return &req
}
