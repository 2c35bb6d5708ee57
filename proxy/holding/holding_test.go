package holding

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/memory"
)

const lasts = 500_000 // µs

// newTable returns a table, and the keys k and l for which gets wait.
func newTable(budget int64) (t *Table, k, l Key) {
	keys := NewKeys([]byprefix.Duration{{Text: "", For: lasts * time.Microsecond}})
	return NewTable(&memory.Budget{Limit: budget}), Key{keys, "k"}, Key{keys, "l"}
}

// noted is a get that notes what becomes of it.
type noted struct {
	mu     sync.Mutex
	over   []Outcome
	probed []string
}

func (n *noted) Over(o Outcome) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.over = append(n.over, o)
}

func (n *noted) Probe(k Key) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.probed = append(n.probed, k.Text)
}

// expect checks what has become of n.
func (n *noted) expect(t *testing.T, what string, over ...Outcome) {
	t.Helper()
	if !slices.Equal(n.over, over) {
		t.Errorf("%s: %v, expected %v", what, n.over, over)
	}
}

// While somebody waits for a key, it is asked for every 20 ms, but not again before the answer has come.
func TestProbes(t *testing.T) {
	t.Parallel()
	table, k, _ := newTable(1 << 20)
	n := &noted{}
	table.Missed(&Asker{}, n, []Key{k}, lasts, 0)
	table.Missed(&Asker{}, n, []Key{k}, lasts, 1000)
	table.Missed(&Asker{}, n, []Key{k}, lasts, 2000)
	for now := int64(0); now < 100_000; now += 1000 {
		table.Pass(now)
	}
	if len(n.probed) != 1 {
		t.Fatalf("%d probes while none was answered", len(n.probed))
	}
	table.Probed(k, 100_000)
	if at, any := table.Next(); !any || at != 100_000+probeEvery {
		t.Errorf("something is due at %d", at)
	}
	table.Pass(100_000 + probeEvery)
	if table.Stored(k); len(n.probed) != 2 {
		t.Errorf("%d probes", len(n.probed))
	}
	n.expect(t, "found by a probe", Stored, Stored)
	if at, any := table.Next(); any {
		t.Errorf("something is due at %d though nobody waits", at)
	}
	table.Probed(k, 130_000)
}

// Who waits for a maker that is gone becomes the maker at once, but who follows him only in time: clients that close their
// connections after a miss would all be told one after another.
func TestMakersThatAreGone(t *testing.T) {
	t.Parallel()
	table, k, _ := newTable(1 << 20)
	askers, gets := make([]Asker, 4), make([]noted, 4)
	for i := range askers {
		table.Missed(&askers[i], &gets[i], []Key{k}, int64(i)+lasts, int64(i))
	}
	table.Gone(&askers[0], 1000)
	gets[1].expect(t, "the first to wait", Missing)
	table.Gone(&askers[1], 2000)
	gets[2].expect(t, "the second, at once")
	table.Pass(lasts + 2)
	gets[2].expect(t, "the second, in time", Missing)
	gets[3].expect(t, "the third, for which the second is the maker")
	table.Gone(&askers[2], lasts+2)
	gets[3].expect(t, "the third, at once")
	table.Pass(lasts + 3)
	gets[3].expect(t, "the third, in time", Missing)
}

// Nobody waits in a multi-get that makes a value, so that two of them don't wait for each other.
func TestMakersDoNotWait(t *testing.T) {
	t.Parallel()
	table, k, l := newTable(1 << 20)
	one, two, three := &Asker{}, &Asker{}, &Asker{}
	n := &noted{}
	if v, _ := table.Missed(one, n, []Key{k}, lasts, 0); v != Makes {
		t.Error("the first is not the maker")
	}
	if v, _ := table.Missed(two, n, []Key{k, l}, lasts, 1); v != Makes {
		t.Error("a multi-get waits, though nobody makes one of its keys")
	}
	if v, _ := table.Missed(one, n, []Key{k, l}, lasts, 2); v != Waits {
		t.Error("a multi-get does not wait for the key that another makes")
	}
	if v, _ := table.Missed(three, n, []Key{k, l}, lasts, 3); v != Waits {
		t.Error("a multi-get does not wait for two keys that others make")
	}
	table.Stored(l)
	n.expect(t, "one of two keys is stored", Stored)
	table.Stored(k)
	n.expect(t, "both keys are stored", Stored, Stored)
}

// When there is no memory, gets are told the miss.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	table, k, _ := newTable(quotaShare * 20_000)
	var waits []*Wait
	n, maker := &noted{}, &Asker{}
	table.Missed(maker, n, []Key{k}, lasts, 0)
	for range 1000 {
		if v, w := table.Missed(&Asker{}, n, []Key{k}, lasts, 1); v == Waits {
			waits = append(waits, w)
		}
	}
	if used := table.quota.Used(); used > 20_000 || len(waits) < 10 || k.Of.Waiting() != len(waits) {
		t.Errorf("%d gets wait in %d bytes", len(waits), used)
	}
	for range 1000 {
		table.Missed(maker, n, []Key{{k.Of, string(make([]byte, len(table.makings)))}}, lasts, 1)
	}
	if used := table.quota.Used(); used > 20_000 {
		t.Errorf("%d bytes", used)
	}
	table.Stored(k)
	if k.Of.Waiting() != 0 || len(n.over) != len(waits) {
		t.Errorf("%d gets wait, and %d were told", k.Of.Waiting(), len(n.over))
	}
}

// Ten thousand gets of a key are told quickly, in whatever order they end.
func TestManyWaitForOneKey(t *testing.T) {
	t.Parallel()
	table, k, _ := newTable(1 << 30)
	n := &noted{}
	askers, waits := make([]Asker, 10_000), make([]*Wait, 10_000)
	for i := range askers {
		_, waits[i] = table.Missed(&askers[i], n, []Key{k}, lasts+int64(i), int64(i))
	}
	for i := 1; i < len(askers); i += 2 {
		if !table.Release(waits[i], 10_000) {
			t.Fatal("a get does not wait")
		}
	}
	table.Pass(lasts + 10_000)
	if len(n.over) != 4999 {
		t.Errorf("%d gets were told", len(n.over))
	}
	for i := range askers {
		table.Gone(&askers[i], lasts+10_000)
	}
	if e := table.makings[k]; len(e.told) != 0 || e.maker != nil {
		t.Errorf("%d connections are known that are gone", len(e.told))
	}
}

// A reload that replaces a pool lets the gets of its keys go on, and those of others wait.
func TestForgottenKeys(t *testing.T) {
	t.Parallel()
	table, k, _ := newTable(1 << 20)
	other := Key{NewKeys([]byprefix.Duration{{Text: "", For: time.Second}}), "k"}
	n, m := &noted{}, &noted{}
	for range 3 {
		table.Missed(&Asker{}, n, []Key{k}, lasts, 0)
		table.Missed(&Asker{}, m, []Key{other}, lasts, 0)
	}
	table.Forget(k.Of)
	n.expect(t, "gets of the pool", Missing, Missing)
	m.expect(t, "gets of another pool")
}

// Loops use a table at the same time: every wait ends once.
func TestLoopsShareATable(t *testing.T) {
	t.Parallel()
	table, k, l := newTable(1 << 20)
	start := time.Now()
	now := func() int64 { return time.Since(start).Microseconds() }
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 2000 {
				asker, n := &Asker{}, &noted{}
				verdict, w := table.Missed(asker, n, []Key{k, l}, now()+100, now())
				switch verdict {
				case Makes:
					table.Stored(k)
					table.Stored(l)
				case Waits:
					table.Pass(now())
					released := table.Release(w, now())
					for deadline := time.Now().Add(time.Minute); !released; {
						n.mu.Lock()
						released = len(n.over) > 0
						n.mu.Unlock()
						if time.Now().After(deadline) {
							t.Error("a get waits for ever")
							return
						}
					}
				}
				table.Gone(asker, now())
			}
		})
	}
	all.Wait()
	if k.Of.Waiting() != 0 {
		t.Errorf("%d gets wait", k.Of.Waiting())
	}
}
