package structures

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

const (
	logChunk  = 30 * time.Second
	logChunks = 3
	logWrites = 16
)

// A log of which one chunk takes several items, as its events are large, is
// written in all orders of time and followed by readers who must not miss
// anything that was acknowledged before they asked.
func TestALogWithAHugeChunk(t *testing.T) {
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			store := harness.StartMemcached(t, version, "-m", "256")
			m := harness.StartPlainMemverbs(t, append(patient, "--upstream", store.Addr,
				"--log-chunk", logChunk.String(), "--log-chunks", fmt.Sprint(logChunks))...)
			l := &ledger{t: t, addr: m.Addr, bytes: atLength(5<<20, 20<<20), sizes: map[int64]int{}}
			l.fill(chooseSeed(t))
			l.checkAll()
			checkLogItems(t, store)
		})
	}
}

// fill has writers put events until one chunk has more than enough of them, and
// readers follow.
func (l *ledger) fill(seed uint64) {
	began := time.Now()
	done := make(chan struct{})
	var writing, reading sync.WaitGroup
	for i := range logWrites {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		writing.Go(func() { l.write(i, random) })
	}
	for i := range 4 {
		reading.Go(func() { l.follow(i%2 == 0, done) })
	}
	writing.Wait()
	close(done)
	reading.Wait()
	l.t.Logf("%d events, read %d times while they were written, in %v", len(l.entries()),
		l.fetches.Load(), time.Since(began))
}

// write puts events of some kilobytes: most of them now, others late or early.
func (l *ledger) write(id int, random *rand.Rand) {
	s := &session{addr: l.addr}
	defer s.close()
	if !s.connect() {
		l.t.Error("memverbs does not take connections")
		return
	}
	for n := 0; !l.full.Load() && !l.t.Failed(); n++ {
		when := time.Now()
		switch random.IntN(10) {
		case 0: // late, as far back as is surely kept
			when = when.Add(-time.Duration(random.Int64N(logReach)) * time.Millisecond)
		case 1: // early
			when = when.Add(time.Duration(random.Int64N(int64(logChunk - time.Second))))
		case 2, 3, 4: // out of order
			when = when.Add(time.Duration(random.Int64N(int64(time.Second))) - time.Second)
		}
		e := entry{when: when.UnixMilli(), name: fmt.Sprintf("%d-%d", id, n), size: 1000 + random.IntN(8000)}
		line, _, err := s.ask(fmt.Sprintf("logput audit %d %d %d\r\n%s\r\n", e.flags(), e.when, e.size, e.data()))
		if err != nil || line != "STORED" {
			l.t.Errorf("event %s of %d, now being %d: %q, %v", e.name, e.when, time.Now().UnixMilli(), line, err)
			return
		}
		l.enter(e)
	}
}

// follow reads what is new, which is what has come from the last time seen on,
// or all there is, again and again.
func (l *ledger) follow(onlyNew bool, done <-chan struct{}) {
	newest := time.Now().UnixMilli() - logReach
	for open := true; open && !l.t.Failed(); {
		select {
		case <-done:
			open = false // once more
		default:
		}
		known, asked := l.entries(), time.Now().UnixMilli()
		first, last := newest, asked
		request := fmt.Sprintf("logfetch audit %d\r\n", first)
		if !onlyNew {
			first, last = asked-logReach, asked+logChunk.Milliseconds()
			request = fmt.Sprintf("logfetch audit %d %d\r\n", first, last)
		}
		found, err := l.fetch(request)
		if err != nil {
			l.t.Errorf("%q: %v", request, err)
			return
		}
		for _, e := range known {
			if e.when >= first && e.when <= last && !found[e] {
				l.t.Errorf("%q, asked at %d: event %s of %d is missing", request, asked, e.name, e.when)
			}
		}
		for e := range found {
			newest = max(newest, e.when)
		}
	}
}
