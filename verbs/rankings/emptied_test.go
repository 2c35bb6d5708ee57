package rankings

import (
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// A ranking that is made with a time to live ends when its last member is gone, as soon as somebody
// looks: the member was removed, or all its increments have expired, by memcached's clock too.
func TestEmptiedRankingIsMadeAnew(t *testing.T) {
	for _, emptied := range [][]string{{"@600 zadd k 1 a", "zrem k a"}, {"@600 zinc k a", "zrem k a"}, {"@600 zincrbyp k 1 a 5"}} {
		for _, look := range []string{"zcard k", "zget k a", "zrank k a", "zrange k 0 -1"} {
			w := verbtest.NewWorld(t, theVerbs)
			for _, request := range emptied {
				w.Send(request)
			}
			w.Clock += 20_000
			w.Send(look)
			w.Expect("@300 zincrby k 2 b", "2")
			if left := w.Find("k").Expires - w.Seconds(); left != 300 {
				t.Errorf("after %q and %s, %d seconds are left instead of 300", emptied, look, left)
			}
		}
	}
}

// A proxy whose clock is ahead does not delete a ranking whose increments others still count.
func TestRankingIsNotEmptiedTooEarly(t *testing.T) {
	w := verbtest.NewWorld(t, theVerbs)
	w.Expect("@600 zincrbyp k 1 a 60", "1")
	w.Ahead = 3_600_000
	w.Expect("zcard k", "0")
	w.Ahead = 0
	w.Expect("zget k a", "1")
}
