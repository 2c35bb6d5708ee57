package discovery

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// script is an Asker that a test tells what to answer.
type script struct {
	mu     sync.Mutex
	answer Answer
	err    error
	hangs  bool
	asked  int
}

func (s *script) Ask(ctx context.Context) (Answer, error) {
	s.mu.Lock()
	hangs := s.hangs
	s.asked++
	s.mu.Unlock()
	if hangs {
		<-ctx.Done()
		return Answer{}, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answer, s.err
}

func (s *script) answers(servers string, version uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer, s.err, s.hangs = Answer{Servers: strings.Fields(servers), Version: version}, err, false
}

// times returns how often it was asked.
func (s *script) times() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *script) hang() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hangs = true
}

// watched runs a watch of a script on a virtual clock, and calls test while it runs.
func watched(t *testing.T, test func(t *testing.T, s *script, w *Watch)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		s.answers("a b", 0, nil)
		source, err := ParseSource("dns:cache.test:11211")
		if err != nil {
			t.Fatal(err)
		}
		w := NewWatch(source, s, Times{Every: 10 * time.Second, Leave: leave})
		if _, err := w.Ask(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { w.Run(ctx, func(bool, error) {}) })
		test(t, s, w)
		cancel()
		running.Wait()
	})
}

func expect(t *testing.T, w *Watch, servers string) {
	t.Helper()
	synctest.Wait()
	if got := list(w.List()); got != servers {
		t.Errorf("the servers are %q, expected %q", got, servers)
	}
}

// A list that becomes empty and a name server that fails change nothing, and a server that was away when the failure
// began stays in the list until an answer lacks it again.
func TestLastGoodListIsKept(t *testing.T) {
	watched(t, func(t *testing.T, s *script, w *Watch) {
		s.answers("a", 0, nil)
		time.Sleep(12 * time.Second)
		expect(t, w, "a -b")
		s.answers("", 0, errEmpty)
		time.Sleep(time.Hour)
		expect(t, w, "a -b")
		if state := w.State(); state.Error != "dns:cache.test:11211: the answer has no servers" || time.Since(state.Answered) < 59*time.Minute {
			t.Errorf("%+v", state)
		}
		s.hang()
		time.Sleep(time.Hour)
		expect(t, w, "a -b")
		s.answers("b c", 0, nil)
		time.Sleep(22 * time.Second)
		expect(t, w, "-a b c")
		if state := w.State(); state.Error != "" {
			t.Errorf("%+v", state)
		}
	})
}

// The source is asked about every ten seconds, more often after an error, each time at most for as long as asking may take, and
// at once when that is wanted.
func TestSchedule(t *testing.T) {
	watched(t, func(t *testing.T, s *script, w *Watch) {
		time.Sleep(1000 * time.Second)
		synctest.Wait()
		before := s.times()
		if before < 92 || before > 112 {
			t.Errorf("asked %d times within 1000 s", before)
		}
		s.hang()
		time.Sleep(1000 * time.Second)
		synctest.Wait()
		if n := s.times() - before; n < 78 || n > 90 {
			t.Errorf("asked %d times within 1000 s without an answer", n)
		}
		s.answers("c", 0, nil)
		time.Sleep(22 * time.Second) // at least once after the answer that is still awaited
		s.answers("d", 0, nil)
		w.AskNow()
		expect(t, w, "-a -b -c d")
	})
}

// A server of a cluster that has not learnt of a change is not believed, but a cluster that was made anew is.
func TestVersions(t *testing.T) {
	watched(t, func(t *testing.T, s *script, w *Watch) {
		s.answers("a b c", 12, nil)
		time.Sleep(12 * time.Second)
		expect(t, w, "a b c")
		s.answers("a b", 11, nil)
		time.Sleep(50 * time.Second)
		expect(t, w, "a b c")
		s.answers("a b c", 12, nil)
		time.Sleep(12 * time.Second)
		s.answers("a d", 1, nil)
		time.Sleep(50 * time.Second)
		expect(t, w, "a b c")
		time.Sleep(40 * time.Second)
		expect(t, w, "a -b -c d")
	})
}

// A watch with other settings goes on with the list of the one before.
func TestInherit(t *testing.T) {
	watched(t, func(t *testing.T, s *script, w *Watch) {
		s.answers("a", 0, nil)
		time.Sleep(12 * time.Second)
		synctest.Wait()
		next := NewWatch(w.Source(), s, Times{Every: time.Second, Leave: 100 * time.Second})
		next.Inherit(w)
		expect(t, next, "a -b")
		time.Sleep(70 * time.Second)
		if _, err := next.Ask(t.Context()); err != nil {
			t.Error(err)
		}
		expect(t, next, "a -b")
		expect(t, w, "a")
	})
}

func TestErrorOfAWatch(t *testing.T) {
	t.Parallel()
	s := &script{err: errors.New("none")}
	source, _ := ParseSource("srv:_memcache._tcp.test")
	if _, err := NewWatch(source, s, Times{}).Ask(t.Context()); err == nil || err.Error() != "srv:_memcache._tcp.test: none" {
		t.Errorf("%v", err)
	}
}
