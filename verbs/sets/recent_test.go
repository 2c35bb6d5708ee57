package sets

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// looks has two event loops keep a view of the set before a race.
var looks = [][]string{{"smembers k", "scard k"}, {"scard k", "smembers k"}}

var recentRaces = []verbtest.Race{
	{Name: "add and look", Log: "+a ", Options: roomy, First: looks, Clients: [][]string{{"sadd k b", "scard k"}, {"scard k", "smembers k", "scard k"}}},
	{Name: "add and remove", Log: "+a ", Options: roomy, First: looks, Clients: [][]string{{"sadd k b", "smembers k"}, {"smembers k", "srem k a", "scard k"}}},
	{Name: "pop and look", Log: "+a +b ", Options: roomy, First: looks, Clients: [][]string{{"spop k", "scard k"}, {"scard k", "scard k", "scard k"}}},
	{Name: "settle and look", Log: "+a +b ", Options: tiny, First: looks, Clients: [][]string{{"sadd k c"}, {"smembers k", "scard k", "smembers k"}}},
	{Name: "two look", Log: "+a ", Options: roomy, First: looks, Clients: [][]string{{"sadd k b"}, {"scard k", "sismember k b"}, {"smembers k", "scard k"}}},
}

// What a client of the process has changed, every client sees at once, through every event loop, though none probes.
func TestEveryScheduleWithoutProbes(t *testing.T) { verbtest.TryNear(t, &rules, recentRaces) }

// What others have changed is seen when the time is over, which counts from when memcached was asked; and meanwhile
// memcached is asked for nothing.
func TestRecentSets(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]struct {
		request, before, after string
		glances                bool // what is known is told without a routine
	}{
		"scard":     {"scard k", "1\r\n", "2\r\n", true},
		"sismember": {"sismember k b", "0\r\n", "1\r\n", true},
		"smembers":  {"smembers k", "VALUE k 0 1\r\na\r\nEND\r\n", "VALUE k 0 3\r\na b\r\nEND\r\n", false},
		"sinter":    {"sinter k k", "VALUE k 0 1\r\na\r\nEND\r\n", "VALUE k 0 3\r\na b\r\nEND\r\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := verbtest.NewWorld(t, theVerbs)
			w.Kept, w.Near = views.Eager([]byte("k")), &verbtest.Near{Lasts: 1000}
			w.Put("k", "+a ", 0, 0)
			slow := int64(0)
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				r := w.Do(t, op)
				w.Clock += slow
				slow = 0
				return r, true
			}
			w.Send("smembers k")
			slow = 400 // so long takes the next reply
			w.Clock += 1000
			if w.Send(read.request); w.Client.Done == 0 {
				t.Error("memcached was not asked after a second")
			}
			w.Put("k", "+a +b ", 0, 0)
			w.Clock += 599
			if answer := w.Glance(read.request); (answer != "") != read.glances || read.glances && answer != read.before {
				t.Errorf("answered %q at a glance", answer)
			}
			if answer := w.Send(read.request); answer != read.before || w.Client.Done > 0 {
				t.Errorf("answered %q after %d operations, expected what was there", answer, w.Client.Done)
			}
			if w.Clock++; w.Glance(read.request) != "" || w.Send(read.request) != read.after {
				t.Errorf("answered %q after a second", w.Client.Answer)
			}
			w.Put("k", "+a +b +c ", 0, 0)
			if _, members, _ := strings.Cut(w.Send("smembers k"), "\r\n"); members != "a b\r\nEND\r\n" {
				t.Errorf("answered %q, though memcached was asked just now", members)
			}
		})
	}
}
