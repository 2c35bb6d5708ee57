package migration

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memverbs/memverbs/proxy/metadump"
	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/proxy/placement"
)

// first places all keys on the first server, last on the last of n.
type first struct{}

func (first) Locate([]byte) int { return 0 }

type last struct{ n int }

func (l last) Locate([]byte) int { return l.n - 1 }

func lists() (from, to placement.List) {
	return placement.List{Rule: "x", Servers: []string{"a", "b"}, Layout: first{}}, placement.List{Rule: "x", Servers: []string{"b", "c"}, Layout: last{2}}
}

// A migration goes through its phases by time, leaves only after it has moved for a while, and ends when the servers say so.
func TestPhases(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		from, to := lists()
		const settle = 10 * time.Second
		m := New(from, to, settle, time.Now())
		check := func(want moving.Phase, isConfirmed bool) {
			t.Helper()
			if p, confirmed, under := m.Phase(time.Now()); p != want || confirmed != isConfirmed || !under {
				t.Errorf("after %v: phase %v, confirmed %v, under way %v", time.Since(m.Began()), p, confirmed, under)
			}
		}
		hear := func() { m.heard.Store(int64(time.Since(m.began))) }
		check(moving.Both, true)
		time.Sleep(settle)
		check(moving.Leaving, false) // as nobody has been heard of
		hear()
		check(moving.Moving, true)
		m.leaving.Store(1)
		check(moving.Moving, true) // as others may still be in the phase before
		time.Sleep(settle)
		hear()
		check(moving.Leaving, true)
		m.ending.Store(1)
		check(moving.Ending, true)
		m.over.Store(true)
		if _, _, under := m.Phase(time.Now()); under {
			t.Error("it is under way when it is over")
		}
	})
}

// A process that starts when a migration has just ended is in its last phase at once, and later has nothing to do with it.
func TestJoinAtTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		from, to := lists()
		const settle = 10 * time.Second
		f := Found{Began: time.Now().Add(-time.Minute), Ended: time.Now()}
		time.Sleep(settle)
		if f.IsOver(settle) {
			t.Error("it is over though others may not know yet")
		}
		m := New(from, to, settle, f.Began)
		m.Join(f.Ended)
		if p, _, underWay := m.Phase(time.Now()); p != moving.Ending || !underWay {
			t.Errorf("phase %v, under way %v", p, underWay)
		}
		time.Sleep(2 * time.Second)
		if !f.IsOver(settle) {
			t.Error("it is not over though all know")
		}
		if m = New(from, to, settle, f.Began); m.Ends() {
			t.Error("a migration ends by itself")
		}
		if m.Join(time.Time{}); m.Ends() {
			t.Error("one that has not ended is joined as one that has")
		}
	})
}

// A key has a source if another server is to have it.
func TestSources(t *testing.T) {
	t.Parallel()
	from, to := lists()
	m := New(from, to, time.Second, time.Now())
	if at, moves := m.Source([]byte("k"), 1); at != 0 || !moves || !m.HasLeft(0) || m.HasLeft(1) {
		t.Errorf("source %d, moves %v", at, moves)
	}
	if _, moves := m.Source([]byte("k"), m.at[0]); moves {
		t.Error("a key moves to where it is")
	}
}

// The items at the servers tell which migration it is, and how far it is.
func TestMarks(t *testing.T) {
	t.Parallel()
	from, to := lists()
	text := textOf(from, to)
	f, g, ok := listsIn([]byte(text))
	if !ok || !slices.Equal(f.Servers, from.Servers) || !slices.Equal(g.Servers, to.Servers) {
		t.Errorf("%q: %v, %v, %v", text, f, g, ok)
	}
	for s := swept; s <= ended; s++ {
		if stateIn([]byte(stateText(s, text)), text) != s {
			t.Errorf("state %d is not read as it was written", s)
		}
		if stateIn([]byte(stateText(s, text)), textOf(to, from)) != foreign {
			t.Errorf("state %d of another migration is not foreign", s)
		}
	}
	if stateIn(nil, text) != begun || stateIn([]byte("x"), text) != foreign {
		t.Error("no item, or any text, counts as a state")
	}
	if _, _, ok := listsIn([]byte("any text")); ok {
		t.Error("any text counts as a mark")
	}
}

// Proxies of 1.0 know the states that this version tells, and tell those that it knows.
func TestStatesOfReleases(t *testing.T) {
	t.Parallel()
	const mark = "memverbs servers 1\n" +
		"rendezvous 127.0.10.1:21211:1\tone 127.0.10.2:21211:1\ttwo 127.0.10.3:21211:1\tthree\n" +
		"rendezvous 127.0.10.1:21211:1\tone 127.0.10.2:21211:1\ttwo"
	for s, text := range map[state]string{swept: "swept 5f5b97d3d7229d20", leaving: "leaving 5f5b97d3d7229d20", ended: "ended 5f5b97d3d7229d20"} {
		if got := stateText(s, mark); got != text || stateIn([]byte(text), mark) != s {
			t.Errorf("%q has become %q", text, got)
		}
	}
}

// A pile has what was added, in order, and says when it is full.
func TestPiles(t *testing.T) {
	t.Parallel()
	p := pile{most: 4000}
	added := 0
	for more := true; more; added++ {
		f := leaves
		if added%3 == 0 {
			f = stray
		}
		more = p.add(f, &metadump.Item{Key: []byte(fmt.Sprintf("key%d", added)), CAS: uint64(added) << 20})
	}
	taken := 0
	for {
		leave, strays := p.take(10)
		if len(leave)+len(strays) == 0 {
			break
		}
		taken += len(leave) + len(strays)
		for _, item := range strays {
			if string(item.key) != fmt.Sprintf("key%d", item.cas>>20) || (item.cas>>20)%3 != 0 {
				t.Errorf("%s with the CAS %d", item.key, item.cas)
			}
		}
	}
	if taken != added || added < 100 {
		t.Errorf("%d were added, and %d taken", added, taken)
	}
}
