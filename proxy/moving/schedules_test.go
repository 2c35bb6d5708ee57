package moving

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// contents is the item of the key, as clients have it. It expires between two times.
type contents struct {
	value    string // empty if there is none
	from, to int64
}

// tolerance is by how many seconds a time to live may differ once the item has moved.
const tolerance = 2

// key is the model of the key.
var key = &porcupine.NondeterministicModel{
	Init: func() []any { return []any{contents{}} },
	Step: func(state, input, output any) (next []any) {
		e, now := input.(*event), state.(contents)
		till := e.till
		if e.said == "" {
			till = forever
		}
		if now.value == "" || now.to+tolerance >= e.at {
			next = e.follow(next, now, till)
		}
		if now.value != "" && now.from-tolerance <= till {
			next = e.follow(next, contents{}, till)
		}
		return next
	},
}

// follow appends what may follow contents by the event.
func (e *event) follow(next []any, now contents, till int64) []any {
	then, right := e.apply(now, till)
	switch {
	case e.verb == "lose":
		return append(next, now, contents{})
	case e.said == "ERROR", e.said == "miss" && e.impatient, e.said == absence(e.verb) && e.hidden:
		return append(next, now)
	case e.said == "EXISTS" && now.value != "": // the item may have got another CAS when it was moved
		return append(next, now)
	case e.said == "" || e.said == right:
		return append(next, then)
	}
	return next
}

// apply returns the contents after the event, and its right answer.
func (e *event) apply(now contents, till int64) (contents, string) {
	fresh := contents{e.value, until(e.at, e.ttl), until(till, e.ttl)}
	switch {
	case e.verb == "set":
		return fresh, "STORED"
	case e.verb == "add" && now.value == "":
		return fresh, "STORED"
	case e.verb == "count" && now.value == "":
		_, text := (&memcached{}).carryOut(Operation{Do: Create}, e.command, Item{}, e.at)
		return contents{text, fresh.from, fresh.to}, text
	case now.value == "":
		return now, absence(e.verb)
	}
	switch e.verb {
	case "get", "gets":
		return now, "=" + now.value
	case "add":
		return now, "NOT_STORED"
	case "delete":
		return contents{}, "DELETED"
	case "replace":
		return fresh, "STORED"
	case "append":
		now.value += e.value
		return now, "STORED"
	case "prepend":
		now.value = e.value + now.value
		return now, "STORED"
	case "cas":
		if now.value != e.expects {
			return now, "EXISTS"
		}
		return fresh, "STORED"
	case "touch":
		return contents{now.value, fresh.from, fresh.to}, "TOUCHED"
	case "gat":
		return contents{now.value, fresh.from, fresh.to}, "=" + now.value
	case "incr", "count":
		sum, ok := increased(now.value, e.value)
		if !ok {
			return now, "CLIENT_ERROR"
		}
		now.value = sum
		return now, sum
	}
	return now, ""
}

// early reports whether a get has read what was not acknowledged to be stored until then.
func (e *event) early() bool {
	return e.read != nil && (e.read.said == "" || e.read.to > e.to)
}

// mixed reports whether some have begun a command in the phase Both and others in the phase Moving.
func (w *world) mixed() bool {
	has := func(s stage) bool { return slices.ContainsFunc(w.events, func(e *event) bool { return e.stage == s }) }
	return has(both) && has(moving)
}

// explained reports whether some order explains what the clients were told, and the item was brought over when that was said.
func (w *world) explained() bool {
	var ops []porcupine.Operation
	mixed := w.mixed()
	for _, e := range w.events {
		if e.verb == "" || e.verb == "bring" || mixed && e.early() {
			continue
		}
		to := e.to
		if to < 0 {
			to = w.step + 1
		}
		var answer any
		if e.said != "" {
			answer = e.said
		} else {
			e.till = w.now
		}
		ops = append(ops, verbtest.Operation(e, answer, e.from, to))
	}
	return !w.unmoved && verbtest.LinearizableBy(key, ops)
}

// randomPrograms returns commands for some clients, and for up to two sweeps. Values are different, so that each tells who has stored it.
func randomPrograms(r *rand.Rand) (all [][]string) {
	verbs := []string{"get", "get", "get", "gets", "set", "set", "add", "delete", "replace", "append", "prepend", "incr", "incr", "count", "cas", "touch", "gat"}
	value := 0
	numbers := r.IntN(2) == 0
	for range 2 + r.IntN(3) {
		var list []string
		for range 1 + r.IntN(3) {
			value++
			verb := verbs[r.IntN(len(verbs))]
			text := fmt.Sprintf("v%d.", value)
			if numbers {
				text = fmt.Sprint(value * 1000)
			}
			switch verb {
			case "touch", "gat":
				text = fmt.Sprint(r.IntN(3) * 2)
			case "incr":
				text = fmt.Sprint(1 + r.IntN(2))
			case "count":
				text = fmt.Sprintf("1/%d", value*1000)
			case "set", "add":
				text += fmt.Sprintf(" %d", r.IntN(3)*2)
			case "cas":
				list = append(list, "gets")
			}
			list = append(list, verb+" "+text)
		}
		all = append(all, list)
	}
	for range r.IntN(3) {
		all = slices.Insert(all, r.IntN(len(all)+1), []string{"bring", "bring"}[r.IntN(2):])
	}
	return all
}

// TestRandomSchedules lets clients of two or three proxies use a key while it moves from one server to the other, items are evicted and
// expire, connections break, and what was sent on them arrives late or never.
func TestRandomSchedules(t *testing.T) {
	for i := range uint64(verbtest.NumberOf(60_000)) {
		if seed := verbtest.FirstSeed() + i; !randomWorld(seed, true).explained() {
			t.Fatalf("seed %d: no order explains\n%s", seed, randomWorld(seed, false))
		}
	}
}

// randomWorld runs a world that a seed decides.
func randomWorld(seed uint64, silent bool) *world {
	r := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(randomStart(r), randomPrograms(r))
	w.silent = silent
	w.run(verbtest.NewRandom(seed, []float64{0, 0.05, 0.15}[r.IntN(3)]), r.IntN(2) == 0)
	w.observes(seed%2 == 0)
	return w
}

// randomStart returns one of the possible beginnings.
func randomStart(r *rand.Rand) start {
	some := slices.Concat(neighbours, trios)
	for {
		s := start{
			stages: some[r.IntN(len(some))],
			item:   []string{"", "v0.", "500"}[r.IntN(3)], at: Server(r.IntN(2)),
			stray: []string{"", "", "y0.", "600"}[r.IntN(4)], left: []string{"", "", "x0.", "700"}[r.IntN(4)],
		}
		if s.possible() {
			return s
		}
	}
}
