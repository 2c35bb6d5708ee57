package structures

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// tally is what a soak has come to.
type tally struct {
	start         time.Time
	answered, cut atomic.Int64 // cut: the connection ended instead of an answer
	refused       atomic.Int64 // SERVER_ERROR
	histories     atomic.Int64 // checked, with all their
	actions       atomic.Int64
	open          atomic.Int64 // actions whose outcome nobody knows
	evicted       atomic.Int64 // histories that tell of an eviction
	slowest       atomic.Int64 // verdict, in nanoseconds
	mu            sync.Mutex
	asked         map[string]int // by verb, if there was an answer
	refusals      map[string]int // by what they begin with
	faults        map[string]int // by kind
	verdicts      map[string]int
	counted       map[string]int // counters of processes that are gone
}

func newTally() *tally {
	return &tally{
		start: time.Now(), asked: map[string]int{}, refusals: map[string]int{}, faults: map[string]int{}, verdicts: map[string]int{},
		counted: map[string]int{},
	}
}

func (y *tally) refuse(line string) {
	y.refused.Add(1)
	y.add(y.refusals, kindOf(line))
}

// kindOf leaves out of a refusal what differs from one to the next: keys,
// addresses and numbers.
func kindOf(line string) string {
	words := strings.Fields(strings.TrimPrefix(line, "SERVER_ERROR "))
	words = slices.DeleteFunc(words, func(w string) bool { return strings.ContainsAny(w, "0123456789") })
	return strings.Join(words[:min(len(words), 8)], " ")
}

func (y *tally) add(to map[string]int, name string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	to[name]++
}

// countUp adds the counters of a memverbs that is about to end.
func (y *tally) countUp(m *harness.Memverbs) {
	stats := m.Stats()
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, name := range []string{"compactions_tried", "compactions_won", "structures_incomplete"} {
		n, _ := strconv.Atoi(stats[name])
		y.counted[name] += n
	}
}

// countEvictions adds what a memcached has evicted, which is about to end.
func (y *tally) countEvictions(m *harness.Memcached) {
	n := evictions(m)
	y.mu.Lock()
	defer y.mu.Unlock()
	y.counted["evictions"] += n
}

// progress is a line for those who watch.
func (y *tally) progress() string {
	return fmt.Sprintf("%4.0f s  histories %d  answered %d  refused %d  cut %d", time.Since(y.start).Seconds(), y.histories.Load(),
		y.answered.Load(), y.refused.Load(), y.cut.Load())
}

// String is the summary.
func (y *tally) String() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	var b strings.Builder
	spent := time.Since(y.start).Seconds()
	fmt.Fprintf(&b, "in %.0f s: %d answered (%.0f/s), %d refused, %d cut\n", spent, y.answered.Load(),
		float64(y.answered.Load())/spent, y.refused.Load(), y.cut.Load())
	fmt.Fprintf(&b, "checked: %d histories with %d actions, %d of them open for ever; %d tell of an eviction; slowest verdict %v\n",
		y.histories.Load(), y.actions.Load(), y.open.Load(), y.evicted.Load(), time.Duration(y.slowest.Load()).Round(time.Millisecond))
	for _, list := range []struct {
		name string
		of   map[string]int
	}{{"verdicts", y.verdicts}, {"faults", y.faults}, {"counted", y.counted}, {"verbs", y.asked}, {"refusals", y.refusals}} {
		fmt.Fprintf(&b, "%s:", list.name)
		for _, name := range slices.Sorted(maps.Keys(list.of)) {
			fmt.Fprintf(&b, "  %s %d", name, list.of[name])
		}
		b.WriteString("\n")
	}
	return b.String()
}
