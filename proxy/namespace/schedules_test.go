package namespace

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Two proxies, each with its memory of a namespace's generation, are right if some order explains what their clients were
// told, in which a flush or an eviction of the generation removes all keys of the namespace at one moment.

// contents are the values of the keys, empty if there is none.
type contents [2]string

// family is the model of a namespace.
var family = porcupine.Model{
	Init: func() any { return contents{} },
	Step: func(state, input, output any) (bool, any) {
		next, right := after(state.(contents), input.(*event))
		return output == nil || output == right, next
	},
}

// after returns the contents after an event, and its right answer.
func after(now contents, e *event) (contents, string) {
	if e.verb == "flush" {
		return contents{}, "OK"
	}
	value := &now[e.key[0]-'a']
	switch {
	case e.verb == "get":
		return now, "=" + *value
	case (e.verb == "add" || e.verb == "make") && *value != "", e.verb == "append" && *value == "":
		return now, "NOT_STORED"
	case e.verb == "delete" && *value == "":
		return now, "NOT_FOUND"
	case e.verb == "delete":
		*value = ""
		return now, "DELETED"
	case e.verb == "append":
		*value += e.value
	default:
		*value = e.value
	}
	return now, "STORED"
}

// explained reports whether some order explains the events.
func (w *world) explained() bool {
	var ops []porcupine.Operation
	for _, e := range w.events {
		var answer any
		if e.answer != "" {
			answer = e.answer
		}
		ops = append(ops, verbtest.Operation(e, answer, e.from, e.to))
	}
	return verbtest.Linearizable(family, ops)
}

// run runs the clients to their end, as r decides, with mishaps at a rate.
func (w *world) run(r *rand.Rand, rate float64) {
	for {
		w.step++
		busy := w.busy()
		var idle []*simClient
		for _, c := range w.clients {
			if c.now == nil && len(c.commands) > 0 {
				idle = append(idle, c)
			}
		}
		if len(busy)+len(idle) == 0 {
			return
		}
		if r.Float64() < rate {
			w.mishap(r, busy)
			continue
		}
		if n := r.IntN(len(busy) + len(idle)); n < len(busy) {
			w.advance(busy[n])
		} else {
			idle[n-len(busy)].begin()
		}
	}
}

// mishap lets something go wrong.
func (w *world) mishap(r *rand.Rand, busy []*link) {
	switch n := r.IntN(4); {
	case n == 0 && len(busy) > 0:
		w.breaks(busy[r.IntN(len(busy))])
	case n <= 2 && len(w.stray) > 0:
		if i := r.IntN(len(w.stray)); len(w.stray[i]) > 0 {
			w.server.carryOut(w.stray[i][0])
			w.stray[i] = w.stray[i][1:]
		}
	default:
		w.evicts()
	}
}

// randomCommands returns commands for some clients. Values are different, so that each tells who has stored it.
func randomCommands(r *rand.Rand) (all [][]string) {
	value := 0
	for range 2 + r.IntN(4) {
		var list []string
		for range 1 + r.IntN(3) {
			value++
			key, verb := "aab"[r.IntN(3)], []string{"get", "get", "set", "set", "add", "append", "delete", "make", "make", "flush", "flush"}[r.IntN(11)]
			list = append(list, fmt.Sprintf("%s %c v%d.", verb, key, value))
		}
		all = append(all, list)
	}
	return all
}

// TestRandomSchedules lets clients of two proxies use and flush a namespace, while generations are evicted, connections break,
// and what was sent on them arrives late or never.
func TestRandomSchedules(t *testing.T) {
	repeated := 0
	for i := range uint64(verbtest.NumberOf(60_000)) {
		seed := verbtest.FirstSeed() + i
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(randomCommands(r))
		w.run(r, []float64{0, 0.05, 0.15}[r.IntN(3)])
		if !w.explained() {
			t.Fatalf("seed %d: no order explains\n%s", seed, w)
		}
		for _, c := range w.clients {
			repeated += int(c.call.rounds)
		}
	}
	if repeated == 0 {
		t.Error("no command was sent twice")
	}
}

// A value that is stored under a dead generation is not seen, gone, and seen again.
func TestSeenGoneAndSeenAgain(t *testing.T) {
	w := newWorld([][]string{{"get a", "get a"}, {"flush"}, {"get a", "set a v1."}, {"get a"}})
	reader, flusher, setter, other := w.clients[0], w.clients[1], w.clients[2], w.clients[3]
	w.through(reader) // both proxies learn of the generation
	w.through(setter)
	w.begins(reader)
	if reader.link.batch[0].key == text { // a read that asked first would be told that all is well
		w.advance(&reader.link)
	}
	w.through(flusher)
	w.begins(setter)
	w.server.carryOut(setter.link.batch[0])
	w.server.carryOut(setter.link.batch[len(setter.link.batch)-1]) // the set, under the dead generation; its proxy knows nothing of it yet
	w.through(reader)
	w.through(other)
	w.through(setter)
	if !w.explained() {
		t.Errorf("no order explains\n%s", w)
	}
}

func (w *world) begins(c *simClient) { w.step++; c.begin() }

// through goes through the command of a client, which it begins unless that is under way.
func (w *world) through(c *simClient) {
	if c.now == nil {
		w.begins(c)
	}
	for c.now != nil {
		w.step++
		if link := &c.proxy.lookup; !link.idle() {
			w.advance(link)
		} else {
			w.advance(&c.link)
		}
	}
}
