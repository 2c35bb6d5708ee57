package tasks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// If all that take tasks go through one event loop, the tasks are taken in order.

// orderRules are the rules of races in which only clients of one proxy take tasks.
var orderRules = verbtest.Rules{List: theVerbs, Look: "tasklist k", Before: stateOf, Right: oldestFirst, Stray: stray, Random: randomOrderRace}

// even is the time of most tasks.
const even = past + 4

// evenLog has three tasks of that time.
var evenLog = fmt.Sprintf("t=%d:%s:c t(%[1]d.1.0.%[3]s:%s:b t(%[1]d.1.0.%[3]s:%[5]s:a ", even, nameC, nonceName(0), nameB, nameA)

var orderRaces = []verbtest.Race{
	race("take and put", evenLog, roomy, []string{"tasktake k 5 2", "tasktake k 5"}, []string{put("d", even)}),
	race("put and put", "t ", roomy, []string{put("d", past+5)}, []string{put("e", past+5), "tasktake k 5", "tasktake k 5"}),
	race("compact and take in order", evenLog+"t-:x ", roomy, []string{"tasklen k"}, []string{"tasktake k 5", "tasktake k 5"}),
	race("compact and put in order", evenLog+"t-:x t-:y ", roomy, []string{put("d", even), "tasktake k 5 9"}, []string{"tasklen k"}),
	long(race("two take in order", evenLog, roomy, []string{"tasktake k 5"}, []string{put("d", even)}, []string{"tasktake k 5"})),
	long(race("settle and take in order", evenLog, tiny, []string{"tasktake k 5 2"}, []string{put("d", even)})),
}

func TestEveryScheduleOfOneLoop(t *testing.T) { verbtest.TryEach(t, &orderRules, orderRaces, 0) }

// Random clients with random mishaps, of which those of one proxy take tasks.
func TestRandomSchedulesOfOneLoop(t *testing.T) { verbtest.TryRandom(t, &orderRules, 5_000) }

func randomOrderRace(r *rand.Rand) verbtest.Race {
	race := randomQueue(r)
	if r.IntN(4) > 0 {
		race.Log, race.Items = evenLog, items
		for n := range 3 {
			race.Log += fmt.Sprintf("t=%d:%s:%c ", even, putName(3+n), 'x'+n)
			race.Items = append(slices.Clip(race.Items), "k:"+putName(3+n))
		}
	}
	race.AddClients(r, 2+r.IntN(3), 4, func(client int) string {
		for {
			request := orderRequest(r)
			if client%2 == 0 || !strings.HasPrefix(request, "tasktake") {
				return request
			}
		}
	})
	return race
}

// orderRequest returns a random request. Most take or put tasks of the same time.
func orderRequest(r *rand.Rand) string {
	id := string(rune('d' + r.IntN(4)))
	switch r.IntN(8) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("tasktake k %d %d", hold, 1+r.IntN(2))
	case 4:
		return put(id, even)
	case 5, 6:
		return "tasklen k"
	}
	return randomRequest(r, id)
}
