package tasks

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

// rules are the rules of races on queues.
var rules = verbtest.Rules{List: theVerbs, Look: "tasklist k", Before: stateOf, Right: inSomeOrder, Stray: stray, Random: randomRace}

// stray returns the keys of items that belong neither to a queue nor to any of its tasks. The
// content of a task that was replaced is left to memcached.
func stray(w *verbtest.World, calls []*verbtest.Call) (keys []string) {
	var known []string
	if i := w.Find("k"); i != nil {
		known, _ = format.PartKeys([]byte("k"), i.Value)
	}
	for _, key := range w.Keys() {
		put, isContent := strings.CutPrefix(key, "k:")
		switch {
		case key == "k", slices.Contains(known, key):
		case isContent && len(put) == putSize && !ended(put, calls):
		default:
			keys = append(keys, key)
		}
	}
	return keys
}

// ended reports whether one of calls has ended the task of a put.
func ended(put string, calls []*verbtest.Call) bool {
	return slices.ContainsFunc(calls, func(c *verbtest.Call) bool {
		return c.Answer == "DELETED\r\n" && strings.HasPrefix(c.Request, "taskdone k "+put)
	})
}

// Options with which a head is always too long, so that every append settles; and with which it
// never is.
var (
	tiny  = verbs.Options{StructureItemSize: 4}
	roomy = verbs.Options{StructureItemSize: 1 << 20}
)

// The queue of most races has a task that is due, one that is held, and one that is due later.
// The first two were attempted once, so that there are stamps that a client may know.
var (
	nameA, nameB, nameC = putName(0), putName(1), putName(2)

	dueLog   = fmt.Sprintf("t(%d.1.0.%s:%s:a ", past+5, nonceName(0), nameA)
	heldLog  = fmt.Sprintf("t(%d.1.%d.%s:%s:b ", past+6, begun+9000, nonceName(0), nameB)
	laterLog = fmt.Sprintf("t=%d:%s:c ", begun+500, nameC)
	items    = []string{"k:" + nameA, "k:" + nameB, "k:" + nameC}

	stampA, stampB = nameA + ".1", nameB + ".1"
)

func race(name, log string, options verbs.Options, clients ...[]string) verbtest.Race {
	r := verbtest.Race{Name: name, Log: log, Options: options, Clients: clients}
	if log != "none" {
		for _, item := range items {
			if strings.Contains(log, item[2:]) {
				r.Items = append(r.Items, item)
			}
		}
	}
	return r
}

// long marks a race as one with many schedules.
func long(r verbtest.Race) verbtest.Race {
	r.Long, r.OnlyNew = true, true
	return r
}

var taskRaces = []verbtest.Race{
	race("two create", "none", roomy, []string{put("a", 0)}, []string{put("b", 0), "tasktake k 5"}),
	race("two take", dueLog, roomy, []string{"tasktake k 5"}, []string{"tasktake k 5"}),
	long(race("two take two", dueLog+fmt.Sprintf("t=%d:%s:b ", past+4, nameB), roomy, []string{"tasktake k 5 2"}, []string{"tasktake k 5"})),
	race("take and done", dueLog, roomy, []string{"tasktake k 5"}, []string{"taskdone k " + stampA}),
	race("done twice", heldLog, roomy, []string{"taskdone k " + stampB}, []string{"taskdone k " + stampB, "tasklen k"}),
	race("keep and done", heldLog, roomy, []string{"taskkeep k " + stampB + " 50"}, []string{"taskdone k " + stampB}),
	race("retry and take", heldLog, roomy, []string{"taskretry k " + stampB + " 0"}, []string{"tasktake k 5", "tasktake k 5"}),
	race("replace and take", dueLog, roomy, []string{put("a", 0)}, []string{"tasktake k 5"}),
	race("drop and take", dueLog, roomy, []string{"taskdrop k a"}, []string{"tasktake k 5", "tasklist k"}),
	race("compact and take", dueLog+"t-:x ", roomy, []string{"tasklen k"}, []string{"tasktake k 5"}),
	long(race("settle and take", dueLog, tiny, []string{"tasktake k 5"}, []string{"taskdone k " + stampA})),
	long(race("settle and put", heldLog, tiny, []string{put("c", past+5)}, []string{"taskdone k " + stampB})),
	race("give back by keep and done", heldLog, roomy, []string{"taskkeep k " + stampB + " -1", "tasktake k 5"}, []string{"taskdone k " + stampB}),
	race("keep and retry", heldLog, roomy, []string{"taskkeep k " + stampB + " 50"}, []string{"taskretry k " + stampB + " 0", "tasktake k 5"}),
	race("two add", "none", roomy, []string{add("a", 0)}, []string{add("a", 0), "taskpeek k a"}),
	race("add and put", dueLog, roomy, []string{add("d", 0)}, []string{put("d", 0)}),
	race("add and done", heldLog, roomy, []string{add("b", 0)}, []string{"taskdone k " + stampB, "tasktake k 5"}),
	race("add and take", "t ", roomy, []string{add("a", 0), add("a", 0)}, []string{"tasktake k 5"}),
	race("move and take", dueLog, roomy, []string{fmt.Sprintf("taskmove k a %d", begun+5000)}, []string{"tasktake k 5"}),
	race("move and give back", heldLog, roomy, []string{fmt.Sprintf("taskmove k b %d", past)}, []string{"taskkeep k " + stampB + " -1", "tasktake k 5"}),
	race("move and keep", dueLog, roomy, []string{"taskmove k a 0"}, []string{"taskkeep k " + stampA + " 50"}),
	race("move and replace", dueLog, roomy, []string{fmt.Sprintf("taskmove k a %d", begun+5000)}, []string{put("a", 0), "taskpeek k a"}),
	race("two move", laterLog, roomy, []string{"taskmove k c 0"}, []string{fmt.Sprintf("taskmove k c %d", begun+9000), "tasklist k"}),
	race("take few and give back", dueLog, roomy, []string{"tasktake k 5 most 1", "tasktake k 5 most 2"}, []string{"taskretry k " + stampA + " 0"}),
	race("peek and done", heldLog, roomy, []string{"taskpeek k b"}, []string{"taskdone k " + stampB, put("b", 0)}),
	race("peek and take", dueLog, roomy, []string{"taskpeek k a", "taskpeek k a"}, []string{"tasktake k 5"}),
	long(race("settle and add", heldLog, tiny, []string{add("b", past+5)}, []string{"taskdone k " + stampB})),
	long(race("settle and move", dueLog, tiny, []string{fmt.Sprintf("taskmove k a %d", begun+5000)}, []string{"tasktake k 5"})),
	race("done and drop", heldLog, roomy, []string{"taskdone k " + stampB}, []string{"taskdrop k b", "tasklist k"}),
}

func TestEverySchedule(t *testing.T) { verbtest.TryEach(t, &rules, taskRaces, 0) }

// Two calls, with every mishap to every single operation.
func TestEveryMishap(t *testing.T) {
	verbtest.TryEach(t, &rules, verbtest.FirstCalls(verbtest.Short(taskRaces)), 1)
}

// Random clients with random mishaps.
func TestRandomSchedules(t *testing.T) { verbtest.TryRandom(t, &rules, 5_000) }

// randomRace returns a random race.
func randomRace(r *rand.Rand) verbtest.Race {
	race := randomQueue(r)
	race.Orders = r.IntN(4) == 0 // the tasks are not taken in order
	race.Waits = r.IntN(8) == 0  // long calls take long to judge
	race.Sharing = !race.Waits && r.IntN(2) == 0
	race.AddCrowd(r, 4, func() string { return randomRequest(r, "d") })
	return race
}

// randomQueue returns a random race without clients.
func randomQueue(r *rand.Rand) verbtest.Race {
	race := verbtest.RandomRace(r, 4, 60, 150, 400)
	race.LetTimePass(r)
	race.Skew = min(race.Skew, 900) // so that no hold seems over that has just begun, but to a clock that jumps
	if race.Slice > 0 {             // that takes many steps, and the head expires sometime
		race.Elapse = min(race.Elapse, 50)
	}
	race.Log = []string{"none", "t ", dueLog, dueLog + laterLog, dueLog + heldLog + laterLog, heldLog + "t-:x t-:y "}[r.IntN(6)]
	race.Items = items
	if race.Log == "none" || race.Log == "t " {
		race.Items = nil
	}
	return race
}

// hold is how long tasks are held at least, in seconds: longer than most calls last.
const hold = 20

// randomRequest returns a random request. No task of the log is replaced or dropped, only one with the
// given id: a call may have taken it before, and then takes another, which the model does not do at
// one moment.
func randomRequest(r *rand.Rand, id string) string {
	stamp := []string{stampA, stampB}[r.IntN(2)]
	when := []int64{0, 0, past + 5, begun + 300, begun + 5000}[r.IntN(5)]
	any := []string{id, id, "a", "b"}[r.IntN(4)]
	switch r.IntN(13) {
	case 0, 1:
		return put(id, when)
	case 2, 3:
		return fmt.Sprintf("tasktake k %d %d%s", hold+r.IntN(3), 1+r.IntN(2), []string{"", fmt.Sprint(" wait ", 1+r.IntN(60))}[r.IntN(2)])
	case 9:
		return fmt.Sprintf("tasktake k %d most %d", hold+r.IntN(3), 1+r.IntN(2))
	case 10:
		return add(any, when)
	case 11:
		return fmt.Sprintf("taskmove k %s %d", any, when)
	case 12:
		return "taskpeek k " + any
	case 4, 5:
		return "taskdone k " + stamp
	case 6:
		return fmt.Sprintf("taskkeep k %s %d", stamp, []int{hold, hold + 1, hold + 2, -1}[r.IntN(4)])
	case 7:
		return fmt.Sprintf("taskretry k %s %d", stamp, when)
	}
	return []string{"taskdrop k " + id, "tasklist k", "tasklen k"}[r.IntN(3)]
}

// If the clocks of proxies differ by more than a task is held, it may be handed out twice. But it
// is not lost, nor handed out again when it is done, and no stamp is given twice.
func TestClocksThatDiffer(t *testing.T) {
	apart := rules
	apart.Before = func(log string) string { return log }
	apart.Right = losesNothing
	apart.Random = func(r *rand.Rand) verbtest.Race {
		race := randomRace(r)
		race.Skew, race.Jumps = []int64{70_000, -70_000, 25_000}[r.IntN(3)], []int64{0, 25_000, 3_600_000}[r.IntN(3)]
		return race
	}
	verbtest.TryRandom(t, &apart, 2_000)
}

// losesNothing reports whether calls, of which the last lists the tasks, have lost none, given the
// log before.
func losesNothing(before string, calls []*verbtest.Call) bool {
	last := calls[len(calls)-1]
	stamps := map[string]bool{}
	for _, c := range calls {
		if strings.HasPrefix(c.Request, "vanish") {
			return true
		}
		if !strings.HasPrefix(c.Request, "tasktake") {
			continue
		}
		for line := range strings.Lines(c.Answer) {
			if w := strings.Fields(line); strings.HasPrefix(line, "VALUE") {
				if stamps[w[4]] {
					return false
				}
				stamps[w[4]] = true
			}
		}
	}
	return !slices.ContainsFunc(plain{}.apply(before), func(of plainTask) bool {
		done := ended(of.put, calls)
		listed := strings.Contains(last.Answer, "VALUE "+of.id+" ")
		put := slices.ContainsFunc(calls, func(c *verbtest.Call) bool {
			return strings.HasPrefix(c.Request, "taskput k "+of.id) || strings.HasPrefix(c.Request, "taskadd k "+of.id)
		})
		touched := slices.ContainsFunc(calls, func(c *verbtest.Call) bool {
			return (strings.HasPrefix(c.Request, "taskdone k "+of.put) || strings.HasPrefix(c.Request, "taskdrop k "+of.id)) && !strings.HasPrefix(c.Answer, "NOT") && !strings.HasPrefix(c.Answer, "EX")
		})
		return !put && (done && listed || !touched && !listed)
	})
}
