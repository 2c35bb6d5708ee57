package outages

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// refusedKey names no verb.
const refusedKey = "verb/nope/x"

// session is a client with keys of its own.
type session struct {
	driver
	t     *testing.T
	ask   asker
	keys  []string
	alive map[string]bool // the keys whose memcached lives
	pop   string          // names a pop of a list of two elements
	got   []string        // what was popped
}

// One of two memcacheds dies while clients ask for the keys of both, one by one and many at once, a refused key among them.
// Then it comes back, empty. No client is told a wrong value at any time.
func TestClientsWhileAServerIsDead(t *testing.T) {
	t.Parallel()
	store := harness.StartStore(t, "memcached-"+harness.Newest, "--verb-keys", "verb/")
	probe := harness.Dial(t, store.Addr)
	var sessions []*session
	for i, d := range drivers {
		s := &session{driver: d, t: t, ask: d.start(t, store.Addr), alive: map[string]bool{}, pop: fmt.Sprintf("verb/lpop/list%d", i)}
		for n := range 12 {
			s.keys = append(s.keys, fmt.Sprintf("c%d-%d", i, n))
		}
		sessions = append(sessions, s)
	}
	each(sessions, func(s *session) {
		s.store()
		s.read(s.keys)
	})
	for _, s := range sessions {
		probe.Ask("rpush "+path.Base(s.pop)+" a b\r\n", "STORED\r\n")
	}

	store.Memcacheds[0].Kill(t)
	awaitUpstreams(t, probe, 1)
	for _, s := range sessions {
		s.findAlive(probe)
	}
	each(sessions, func(s *session) {
		s.read(slices.Concat(s.keys[:4], []string{refusedKey}, s.keys[4:]))
		s.read(slices.Concat([]string{refusedKey}, s.keys, []string{s.pop}))
		s.change()
		s.read(slices.Concat(s.keys[:8], []string{s.pop}, s.keys[8:], []string{refusedKey}))
	})

	store.Memcacheds[0].Restart(t)
	awaitUpstreams(t, probe, 2)
	each(sessions, func(s *session) {
		s.store()
		s.read(s.keys)
	})
	for _, s := range sessions {
		probe.Send("llen " + path.Base(s.pop) + "\r\n")
		if left := probe.Line(); left != fmt.Sprint(2-len(s.got)) && left != "NOT_FOUND" { // as it died with its memcached
			t.Errorf("%s: of 2 elements of a list %q were told, and %s are left", s.name, s.got, left)
		}
	}
}

// each has all sessions do something at the same time, and waits for them.
func each(sessions []*session, do func(*session)) {
	var all sync.WaitGroup
	for _, s := range sessions {
		all.Go(func() { do(s) })
	}
	all.Wait()
}

// awaitUpstreams waits until so many of the two upstreams are up.
func awaitUpstreams(t *testing.T, probe *harness.Client, up int) {
	t.Helper()
	harness.Await(t, "upstreams to be up", func() bool {
		probe.Send("stats upstreams\r\n")
		return strings.Count(probe.Until("END"), "_state up\r\n") == up
	})
}

// value returns the value of a key, which has its name in it.
func value(key string) string { return "value-of-" + key }

// findAlive finds out which keys belong to the memcached that lives.
func (s *session) findAlive(probe *harness.Client) {
	for _, key := range s.keys {
		probe.Send("get " + key + "\r\n")
		s.alive[key] = false
		switch line := probe.Line(); {
		case strings.HasPrefix(line, "VALUE "):
			s.alive[key] = true
			probe.Expect(value(key) + "\r\nEND\r\n")
		case !strings.HasPrefix(line, "SERVER_ERROR "):
			s.t.Errorf("a get of %s is answered by %q", key, line)
		}
	}
}

// store sets all keys, each until that is done: some clients avoid their server for a while after errors.
func (s *session) store() {
	for _, key := range s.keys {
		s.alive[key] = true
		answer := ""
		for giveUp := time.Now().Add(harness.Patience); answer != "stored" && time.Now().Before(giveUp); {
			answer = s.said("set " + key + " " + value(key))
		}
		if answer != "stored" {
			s.t.Errorf("%s: a set of %s is answered by %q", s.name, key, answer)
		}
	}
}

// said returns the answer to a line.
func (s *session) said(line string) string {
	answer, err := s.ask(line)
	if err != nil {
		s.t.Errorf("%s: %s: %v", s.name, line, err)
		return "error"
	}
	return answer
}

// read asks for many keys at once, and then for every key by itself.
func (s *session) read(keys []string) {
	s.many(keys)
	for _, key := range append(slices.Clone(s.keys), refusedKey) {
		s.one(key)
	}
}

// one asks for a key.
func (s *session) one(key string) {
	switch answer := s.said("get " + key); {
	case answer == key+"="+value(key) && s.alive[key]:
	case answer == "" && !s.alive[key]:
	case strings.HasPrefix(answer, "error"):
	default:
		s.t.Errorf("%s: a get of %s, whose memcached lives: %v, is answered by %q", s.name, key, s.alive[key], answer)
	}
}

// many asks for keys at once. Of those that live none is missing unless the client has an error.
func (s *session) many(keys []string) {
	answer := s.said("multi " + strings.Join(keys, " "))
	if strings.HasPrefix(answer, "error") || answer == "" && s.whole {
		return
	}
	left := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !s.alive[key] })
	for _, pair := range strings.Fields(answer) {
		key, found, _ := strings.Cut(pair, "=")
		if key == "-" { // which is not told
			key = strings.TrimPrefix(found, value(""))
		}
		if s.apart && slices.Contains(keys, s.pop) && (key == s.pop || key == found) && found == string('a'+rune(len(s.got))) {
			s.got = append(s.got, found)
			continue
		}
		i := slices.Index(left, key)
		if i < 0 || found != value(key) {
			s.t.Errorf("%s: a multi-get of %q is answered by %q", s.name, keys, answer)
			return
		}
		left = slices.Delete(left, i, i+1)
	}
	if len(left) > 0 {
		s.t.Errorf("%s: a multi-get of %q is answered by %q, without %q", s.name, keys, answer, left)
	}
}

// change sets every key to what it is: that is stored if its memcached lives, or else no client says so.
func (s *session) change() {
	for _, key := range s.keys {
		if answer := s.said("set " + key + " " + value(key)); answer == "stored" && !s.alive[key] {
			s.t.Errorf("%s: a set of %s, whose memcached is dead, is answered by %q", s.name, key, answer)
		}
	}
}
