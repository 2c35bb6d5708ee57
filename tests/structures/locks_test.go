package structures

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

// No two tokens hold a lock at once, and nobody loses one before its time, whatever goes
// wrong between clients and memcacheds.
func TestLocksExcludeWhateverGoesWrong(t *testing.T) {
	d := atLength(8*time.Second, *duration/10)
	seed := chooseSeed(t)
	n := startNemesis(t, seed, d)
	n.tally = newTally()
	sites := make([]site, 10)
	var working sync.WaitGroup
	for i := range workers {
		w := &locker{t: t, id: i, random: rand.New(rand.NewPCG(seed, uint64(i))), sites: sites}
		w.session.addr = n.memverbs[i%len(n.memverbs)].Addr
		working.Go(func() { w.work(n.done) })
	}
	n.rage(faultsOfTheWay, time.Hour)
	working.Wait()
	entered := 0
	for i := range sites {
		entered += sites[i].entered
	}
	t.Logf("%d times somebody held a lock", entered)
	if entered == 0 {
		t.Error("nobody ever held a lock")
	}
}

// site is where only the holder of a lock may be.
type site struct {
	mu      sync.Mutex
	inside  string    // the token of who is there
	until   time.Time // and how long, at least, the lock is held
	entered int
}

// enter notes that token holds the lock at least until a time. It returns who else does, and
// false if it comes too late to say.
func (s *site) enter(token string, until time.Time) (other string, inTime bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if now.After(until) {
		return "", false
	}
	if s.inside != "" && s.inside != token && now.Before(s.until) {
		other = s.inside
	}
	s.inside, s.until = token, until
	s.entered++
	return other, true
}

// leave notes that token is about to release the lock. It returns until when it would be
// held otherwise, the zero time if token was not there.
func (s *site) leave(token string) (until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inside == token {
		s.inside, until = "", s.until
	}
	return until
}

// locker is a client that takes one lock after another.
type locker struct {
	t       *testing.T
	id      int
	random  *rand.Rand
	session session
	sites   []site
}

// held is for how many seconds a lock is asked for.
const held = 3

func (w *locker) work(done <-chan struct{}) {
	defer w.session.close()
	for n := 0; ; n++ {
		select {
		case <-done:
			return
		case <-time.After(time.Duration(w.random.IntN(5)) * time.Millisecond):
			w.use(w.random.IntN(len(w.sites)), fmt.Sprintf("%d-%d", w.id, n))
		}
	}
}

// use takes a lock, holds it on as it likes, and releases it, unless it forgets to.
func (w *locker) use(number int, token string) {
	s, name := &w.sites[number], fmt.Sprintf("lock%d", number)
	verb := "lock"
	for range 1 + w.random.IntN(3) {
		until := time.Now().Add(held * time.Second)
		line := w.ask(fmt.Sprintf("%s %s %s %d", verb, name, token, held))
		if line == "STORED" {
			if other, inTime := s.enter(token, until); other != "" {
				w.t.Errorf("%s: %s was told STORED while %s held it", name, token, other)
			} else if !inTime {
				break
			}
			verb = "relock"
		} else if line != "" { // it is another's now, so it must not be this one's
			w.check(s.leave(token), name, token, line)
			return
		}
		time.Sleep(time.Duration(w.random.IntN(3)) * time.Millisecond) // it works meanwhile: there is nothing to await
	}
	if w.random.IntN(50) == 0 {
		return
	}
	until := s.leave(token)
	if line := w.ask("unlock " + name + " " + token); line != "" && line != "DELETED" {
		w.check(until, name, token, line)
	}
}

// check checks the answer that a token does not hold a lock, which it held for sure until
// a time.
func (w *locker) check(until time.Time, name, token, line string) {
	if time.Now().Before(until) {
		w.t.Errorf("%s: %s was told %s while it held it", name, token, line)
	}
}

// ask returns the answer to a line, empty if the outcome is unknown.
func (w *locker) ask(request string) string {
	if !w.session.connect() {
		return ""
	}
	line, _, err := w.session.ask(request + "\r\n")
	if err != nil || strings.HasPrefix(line, "SERVER_ERROR") {
		return ""
	}
	return line
}
