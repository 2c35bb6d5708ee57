package rankings

import (
	"testing"

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
