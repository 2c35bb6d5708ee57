package rankings

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// hot is a ranking of a thousand members that all count all the time, for an hour each, with
// what it should come to.
type hot struct {
	*verbtest.World
	begun  int64
	counts [][hotMembers]uint16 // how often each was counted, second by second
	least  [hotMembers]int      // of the scores: what was counted in the last hour
	most   [hotMembers]int      // and a 64th of it before
	memory int                  // the most that items and view have taken, in bytes
}

const (
	hotMembers = 1000
	hotLife    = 3600
	hotLate    = hotLife/64 + 1 // how late an increment may be undone, rounded up, in seconds
	perRequest = 10
)

// second has so many increments made and what is due undone, at the next second.
func (h *hot) second(increments int, random *rand.Rand) {
	now := len(h.counts)
	h.Clock = h.begun + 1000*int64(now)
	h.counts = append(h.counts, [hotMembers]uint16{})
	for range increments / perRequest {
		request := "zincrbyp k"
		for range perRequest {
			m := random.IntN(hotMembers)
			h.counts[now][m]++
			request += " 1 m" + strconv.Itoa(m)
		}
		h.Expect(request+" "+strconv.Itoa(hotLife)+" noreply", "STORED")
	}
	for m := range hotMembers {
		h.least[m] += int(h.counts[now][m])
		h.most[m] += int(h.counts[now][m])
		if now >= hotLife {
			h.least[m] -= int(h.counts[now-hotLife][m])
		}
		if now >= hotLife+hotLate {
			h.most[m] -= int(h.counts[now-hotLife-hotLate][m])
		}
	}
}

// look checks all scores, and how much memory there is in use.
func (h *hot) look() {
	answer := strings.Fields(h.Send("zget k" + verbtest.Names(hotMembers, " ", "")))
	for m := range hotMembers {
		score := 0 // of who is no member any more
		if answer[m] != "null" {
			score, _ = strconv.Atoi(answer[m])
		}
		if score < h.least[m] || score > h.most[m] {
			h.T.Fatalf("after %d s, m%d has %s, expected %d to %d", len(h.counts), m, answer[m], h.least[m], h.most[m])
		}
	}
	bytes := int(h.Kept.Counts().Bytes)
	for _, key := range h.Keys() {
		bytes += len(h.Value(key))
	}
	h.memory = max(h.memory, bytes)
}

// Hot members stay small, however many increments there are: an hour of them, and another one in
// which they are undone. No increment is undone before its time, or later than a 64th of it after.
func TestHotMembersStaySmall(t *testing.T) {
	verbtest.Long(t)
	increments := 60_000
	if verbtest.Thorough() {
		increments = 10_000_000
	}
	h := &hot{World: eager(t)}
	h.begun = h.Clock
	random := rand.New(rand.NewPCG(3, 4))
	made := 0
	for now := 1; now <= 2*hotLife+hotLate; now++ {
		due := min(increments*now/hotLife, increments) - made
		due -= due % perRequest
		h.second(due, random)
		if made += due; now%50 == 0 {
			h.look()
		}
	}
	h.Expect("zcard k", "0")
	t.Logf("%d increments took up to %d bytes", made, h.memory)
	if made < increments-perRequest || h.memory > 32<<20 {
		t.Errorf("%d increments took up to %d bytes", made, h.memory)
	}
}
