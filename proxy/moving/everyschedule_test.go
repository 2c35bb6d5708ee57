package moving

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// neighbours are the stages in which two proxies may be at once. Of these, moving and ending need an old server that is empty.
var neighbours = [][]stage{
	{before, both}, {both, both}, {both, moving}, {moving, moving}, {moving, leaving}, {leaving, leaving}, {leaving, ending},
	{moving, ending}, {ending, ending}, {ending, after},
}

// trios are stages in which three proxies may be at once when the old server is empty.
var trios = [][]stage{{moving, moving, ending}, {moving, leaving, ending}}

// situations are what any two commands meet, and the commands.
var situations = []struct {
	start
	commands []string
}{
	{start{}, onTexts}, {start{item: "v0."}, onTexts}, {start{item: "v0.", at: New}, onTexts},
	{start{stray: "y0."}, onRemains}, {start{stray: "y0.", item: "v0."}, onRemains},
	{start{left: "x0."}, onRemains}, {start{left: "x0.", item: "v0.", at: New}, onRemains}, {start{left: "x0.", stray: "y0."}, onRemains},
	{start{}, onNumbers}, {start{item: "500"}, onNumbers}, {start{item: "500", at: New}, onNumbers},
	{start{stray: "600"}, onNumbers}, {start{stray: "600", item: "500"}, onNumbers},
	{start{left: "700"}, onNumbers}, {start{left: "700", item: "500", at: New}, onNumbers},
}

var (
	onTexts   = []string{"get", "gets", "set v1.", "delete", "add v2.", "replace v3.", "append v4.", "prepend v5.", "set v1. 2", "touch 2", "gat 2", "bring"}
	onRemains = []string{"get", "set v1.", "delete", "add v2.", "append v4.", "touch 2", "bring"}
	onNumbers = []string{"get", "set 100", "delete", "add 200", "incr 1", "count 1/7", "bring"}
)

// TestEverySchedule runs any two commands, of proxies in any two neighbouring stages, in every order of their operations.
func TestEverySchedule(t *testing.T) {
	verbtest.Long(t)
	for _, stages := range neighbours {
		t.Run(fmt.Sprint(stages), func(t *testing.T) {
			t.Parallel()
			n := 0
			for _, s := range situations {
				if s.stages = stages; !s.possible() {
					continue
				}
				for i, a := range s.commands {
					for j, b := range s.commands {
						if i <= j || stages[0] != stages[1] {
							n += tryAll(t, s.start, 0, a, b)
						}
					}
				}
			}
			t.Logf("%d schedules", n)
		})
	}
}

// TestEveryMishap does so with some commands and one mishap, wherever that is possible.
func TestEveryMishap(t *testing.T) {
	verbtest.Long(t)
	for _, stages := range [][]stage{{both, moving}, {moving, moving}, {moving, leaving}, {leaving, leaving}} {
		for _, pair := range [][2]string{{"get", "get"}, {"set v1.", "get"}, {"get", "delete"}, {"append v4.", "get"}, {"append v4.", "delete"}, {"set v1.", "set v2."}, {"add v1.", "set v2."}, {"touch 2", "get"}, {"set v1.", "bring"}, {"incr 1", "bring"}} {
			t.Run(fmt.Sprint(stages, pair), func(t *testing.T) {
				t.Parallel()
				n := 0
				for _, at := range []Server{Old, New} {
					n += tryAll(t, start{stages: stages, item: "v0.", at: at}, 1, pair[0], pair[1])
				}
				t.Logf("%d schedules", n)
			})
		}
	}
}

// tryAll runs every schedule of commands, each of a client of its own, with up to faults mishaps.
func tryAll(t *testing.T, s start, faults int, commands ...string) (n int) {
	var programs [][]string
	for _, c := range commands {
		programs = append(programs, []string{c})
	}
	later := slices.ContainsFunc(commands, func(c string) bool { return strings.HasSuffix(c, " 2") })
	run := func(choose *verbtest.Exhaustive, silent bool) *world {
		w := newWorld(s, programs)
		w.patient, w.silent = true, silent
		w.run(choose, false)
		w.observes(later)
		return w
	}
	choose := &verbtest.Exhaustive{Faults: faults, Left: faults}
	for more := true; more; more = choose.Next() {
		if n++; !run(choose, true).explained() {
			t.Fatalf("%+v %q, after %d schedules: no order explains\n%s", s, commands, n, run(&verbtest.Exhaustive{Picked: choose.Picked, Left: faults}, false))
		}
	}
	return n
}
