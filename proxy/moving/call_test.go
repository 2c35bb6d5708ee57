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
// time to live, on one of the servers. In the phase Leaving, that memcached has not what the old server has.
func TestAlone(t *testing.T) {
	t.Parallel()
	for _, stages := range neighbours {
		for _, s := range situations {
			if s.stages = stages; stages[0] == before || !s.possible() {
				continue
			}
			for _, line := range s.commands {
				if line != "bring" || stages[0] == moving {
					alone(t, s.start, line)
				}
			}
		}
	}
}

func alone(t *testing.T, s start, line string) {
	t.Helper()
	const ttl = 100
	stage, item := s.stages[0], s.item
	s.item = ""
	w := newWorld(s, [][]string{{line}})
	w.left = w.left || stage == leaving
	var one memcached
	if item != "" {
		w.servers[s.at].store(item, 3, w.now+ttl)
	}
	if w.lives(s.at) {
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
		t.Errorf("%v, %q, %+v, %s: %q, expected %q", stage, item, s, line, k.said, right)
	}
	var there *stored
	for i := range w.servers {
		w.servers[i].expire(w.now)
		switch found := w.servers[i].item; {
		case found == nil, Server(i) == Old && w.left, line == "bring" && found.CAS == strayCAS:
		case there != nil:
			t.Fatalf("%v, %q, %+v, %s: an item on both servers\n%s", stage, item, s, line, w)
		default:
			there = found
		}
	}
	late := int64(tolerance)
	if k.ttl > 0 {
		late += w.now - k.at // it was carried out as late as that
	}
	switch want := one.item; {
	case (there == nil) != (want == nil):
		t.Errorf("%v, %q, %+v, %s: there is %v, expected %v\n%s", stage, item, s, line, there, want, w)
	case want != nil && (string(there.Data) != string(want.Data) || there.Flags != want.Flags || there.expires > want.expires+late || there.expires < want.expires-tolerance):
		t.Errorf("%v, %q, %+v, %s: there is %v, expected %v", stage, item, s, line, there, want)
	}
	if stage == moving && w.servers[Old].item != nil {
		t.Errorf("%q, %+v, %s: it was not moved", item, s, line)
	}
}

// oneServer carries out a command on one server.
func oneServer(m *memcached, cmd command) string {
	o := plain(cmd.verb, Old)
	if kinds[cmd.verb] == Bring {
		return ""
	}
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

// Who has a placeholder waits for the old server, too. So a command that meets it looks there before it looks at the placeholder again,
// or it would take the owner for dead as soon as the new server is much faster.
func TestOldServerSetsThePace(t *testing.T) {
	t.Parallel()
	for _, p := range []Phase{Both, Moving} {
		for k := Get; k <= Bring; k++ {
			var c Call
			looks := 0
			for s, n := c.Begin(k, p), 0; s.Operation.Do != Nothing && n < 100; n++ {
				o, r := s.Operation, Reply{Outcome: Absent}
				switch {
				case o.At == Old:
					looks = 0
					if k == Bring && o.Do == Look {
						r = Reply{Outcome: Done, Item: Item{CAS: 3}}
					}
				case o.Do == Look:
					if looks++; looks > 2 {
						t.Fatalf("%v, kind %d: it looks at the placeholder again and again", p, k)
					}
					r = Reply{Outcome: Done, Placeholder: true, Item: Item{CAS: 5}}
				case o.Do == Reserve, o.Do == Create:
					r.Outcome = Present
				case o.Do == Delete:
					r.Outcome = Changed
				}
				s = c.Next(&r, 0)
			}
		}
	}
}

// Whatever servers reply, a call ends, answers once if it is a client's, and asks for nothing again that may have been carried out.
func TestCallsEnd(t *testing.T) {
	t.Parallel()
	const most = 400
	for seed := range uint64(50_000) {
		r := rand.New(rand.NewPCG(seed, 2))
		var c Call
		var now time.Duration
		lossless := r.IntN(2)
		answers, carriedOut := 0, false
		kind := Kind(r.IntN(int(Bring) + 1))
		s := c.Begin(kind, Phase(r.IntN(int(Ending)+1)))
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
		if answers != 1 && (kind != Bring || answers != 0) {
			t.Fatalf("seed %d: %d answers", seed, answers)
		}
	}
}

// needs awaits a schedule of a world that nothing explains.
func needs(t *testing.T, begin func() *world, end func(*world)) {
	t.Helper()
	for seed := range uint64(100_000) {
		w := begin()
		w.silent = true
		w.run(verbtest.NewRandom(seed, 0), false)
		if end(w); !w.explained() {
			return
		}
	}
	t.Error("no schedule needs it")
}

// If proxies that know nothing of placeholders ran beside some that still make them, a client would see one, or change it.
func TestWhyThereIsAnEnding(t *testing.T) {
	t.Parallel()
	needs(t, func() *world {
		return newWorld(start{stages: []stage{moving, after}}, [][]string{{"add v1."}, {"append v2.", "get"}})
	}, func(*world) {})
}

// If a proxy went on from Moving to Ending while the old server still has an item, that would come back.
func TestWhyTheOldServerIsEmptied(t *testing.T) {
	t.Parallel()
	needs(t, func() *world {
		return newWorld(start{stages: []stage{moving, ending}, item: "v0."}, [][]string{{"get"}, {"set v1."}})
	}, func(w *world) {
		w.proxies[1].stage = moving
		w.observes(false)
	})
}

// If a stray were taken for an item, an old value would come back.
func TestWhyStraysAreAbsent(t *testing.T) {
	t.Parallel()
	needs(t, func() *world {
		w := newWorld(start{stages: []stage{both, both}, stray: "y0."}, [][]string{{"add v1."}, {"get"}})
		w.naive = true
		return w
	}, func(*world) {})
}

// If a stray were left when proxies pass commands on to the new server, these would show it.
func TestWhyStraysAreSwept(t *testing.T) {
	t.Parallel()
	needs(t, func() *world {
		return newWorld(start{stages: []stage{ending, after}, stray: "y0."}, [][]string{{"get"}, {"get"}})
	}, func(*world) {})
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
