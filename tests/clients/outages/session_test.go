package outages

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
)

// session is a client with keys of its own.
type session struct {
	driver
	t        *testing.T
	ask      asker
	keys     []string
	expected map[string]expectation
	round    int
	pop      string   // names a pop of a list of two elements
	got      []string // what was popped
}

// expectation is what a get of a key may find. It may always be an error.
type expectation struct {
	values  []string
	missing bool // or nothing
}

// begin begins a round, in which the keys get other values, with another list.
func (s *session) begin(pop string) {
	s.round++
	s.pop, s.got = pop, nil
}

// list returns the key of the list.
func (s *session) list() string { return path.Base(s.pop) }

// value returns the value for a key in this round, which has its name in it.
func (s *session) value(key string) string { return s.valueIn(s.round, key) }

func (s *session) valueIn(round int, key string) string {
	return fmt.Sprintf("value-of-%s.%d", key, round)
}

// lose expects what memcached does not have to be missing.
func (s *session) lose(memcached *harness.Client) {
	for _, key := range s.keys {
		memcached.Send("mg " + key + "\r\n")
		if memcached.Line() != "HD" {
			s.expected[key] = expectation{missing: true}
		}
	}
}

// store sets all keys, each until that is done: some clients avoid their server for a while after errors.
func (s *session) store() {
	for _, key := range s.keys {
		answer := ""
		for giveUp := time.Now().Add(harness.Patience); answer != "stored" && time.Now().Before(giveUp); {
			answer = s.said("set " + key + " " + s.value(key))
		}
		if answer != "stored" {
			s.t.Errorf("%s: a set of %s is answered by %q", s.name, key, answer)
		}
		s.expected[key] = expectation{values: []string{s.value(key)}}
	}
}

// change sets every key to another value. If its memcached is away, that is stored only if there is a spare one, and
// that of before is not seen again, as the proxy deletes it.
func (s *session) change(spare bool) {
	s.round++
	for _, key := range s.keys {
		is, before := s.expected[key], s.valueIn(s.round-1, key)
		answer := s.said("set " + key + " " + s.value(key))
		switch stored := answer == "stored"; {
		case is.missing && stored && !spare:
			s.t.Errorf("%s: a set of %s, whose memcached is away, is answered by %q", s.name, key, answer)
		case stored:
			is.values = nil
		case s.avoids: // so the proxy may not have heard of it
			is.values = append(is.values, before)
		}
		is.values = append(is.values, s.value(key))
		s.expected[key] = is
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

// readAmong reads all keys, with others among them from place at on.
func (s *session) readAmong(at int, others ...string) {
	s.read(slices.Insert(slices.Clone(s.keys), at, others...))
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
	is := s.expected[key]
	switch answer := s.said("get " + key); {
	case strings.HasPrefix(answer, "error"):
	case answer == "" && (is.missing || s.silent || key == refusedKey):
	case !slices.Contains(is.values, strings.TrimPrefix(answer, key+"=")):
		s.t.Errorf("%s: a get of %s is answered by %q, expected %+v", s.name, key, answer, is)
	}
}

// many asks for keys at once. Of those that are there none is missing unless the client has an error.
func (s *session) many(keys []string) {
	answer := s.said("multi " + strings.Join(keys, " "))
	if strings.HasPrefix(answer, "error") || answer == "" && s.whole {
		return
	}
	left := slices.Clone(keys)
	for _, pair := range strings.Fields(answer) {
		key, found, _ := strings.Cut(pair, "=")
		if key == "-" { // which is not told
			key = keyIn(found)
		}
		if s.apart && slices.Contains(keys, s.pop) && (key == s.pop || key == found) && found == string('a'+rune(len(s.got))) {
			s.got = append(s.got, found)
			continue
		}
		i := slices.Index(left, key)
		if i < 0 || !slices.Contains(s.expected[key].values, found) {
			s.t.Errorf("%s: a multi-get of %q is answered by %q", s.name, keys, answer)
			return
		}
		left = slices.Delete(left, i, i+1)
	}
	left = slices.DeleteFunc(left, func(key string) bool { return s.expected[key].missing || len(s.expected[key].values) == 0 })
	if len(left) > 0 && !s.silent {
		s.t.Errorf("%s: a multi-get of %q is answered by %q, without %q", s.name, keys, answer, left)
	}
}

// keyIn returns the key that a value has in it.
func keyIn(value string) string {
	key, _, _ := strings.Cut(strings.TrimPrefix(value, "value-of-"), ".")
	return key
}
