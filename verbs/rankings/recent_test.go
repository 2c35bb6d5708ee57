package rankings

import (
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// looks has two event loops keep a view of the ranking before a race.
var looks = [][]string{{"zcard k", "zcard k"}, {"zrevrange k 0 1", "zcard k"}}

// What a client of the process has changed, every client sees at once, through every event loop, though none probes.
func TestEveryScheduleWithoutProbes(t *testing.T) {
	verbtest.TryNear(t, &rules, []verbtest.Race{
		{Name: "add and look", Log: "z=1:a ", Options: roomy, First: looks, Clients: [][]string{{"zadd k 5 b", "zrevrange k 0 1"}, {"zrevrange k 0 1", "zcard k", "zrange k 0 -1"}}},
		{Name: "sums", Log: "z=1:a ", Options: roomy, First: looks, Clients: [][]string{{"zincrby k 1 a", "zget k a"}, {"zget k a", "zincrby k 1 a", "zget k a"}}},
		{Name: "two look", Log: "z=1:a ", Options: roomy, First: looks, Clients: [][]string{{"zinc k a"}, {"zget k a", "zrank k a"}, {"zget k a", "zget k a"}}},
		{Name: "settle and look", Log: "z=1:a z=2:b ", Options: tiny, First: looks, Clients: [][]string{{"zinc k a"}, {"zrange k 0 -1 withscores", "zcard k", "zrevrank k a"}}},
	})
}

// For a while, places in a ranking that was read are told without asking memcached, unless members would have to be counted.
func TestRecentPlaces(t *testing.T) {
	t.Parallel()
	w := verbtest.NewWorld(t, theVerbs)
	w.Kept, w.Near = views.Eager([]byte("k")), &verbtest.Near{Lasts: 1000}
	w.Send("zadd k 1 a 2 b 3 c")
	for request, answer := range map[string]string{
		"zrank k a": "0\r\n", "zrank k c": "2\r\n", "zrank k d": "NOT_FOUND\r\n",
		"zrevrank k a": "2\r\n", "zrevrank k c": "0\r\n", "zrevrank k d": "NOT_FOUND\r\n",
	} {
		w.Send("zrange k 0 -1")
		if glanced := w.Glance(request); glanced != answer {
			t.Errorf("%s: %q at a glance, expected %q", request, glanced, answer)
		}
		w.Clock += 1001
		if glanced := w.Glance(request); glanced != "" {
			t.Errorf("%s: %q at a glance after a second", request, glanced)
		}
		if sent := w.Send(request); sent != answer {
			t.Errorf("%s: %q, expected %q", request, sent, answer)
		}
	}
}
