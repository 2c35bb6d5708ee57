package sets

import (
	"fmt"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// However often a set is rewritten, it expires to the second when it would have, whatever the clock of the
// proxy says, and though memcached's clock ticks in the middle of it.
func TestRewritingKeepsTimeToLive(t *testing.T) {
	const month = verbs.LongestRelative
	for _, ttl := range []int64{0, 60, 1000, month - 1, month, month + 1, 2 * month} {
		for _, ahead := range []int64{0, -300_000, 300_000, -86_400_000 * 400, 86_400_000 * 400} {
			t.Run(fmt.Sprint(ttl, " ", ahead), func(t *testing.T) {
				w := newWorld(t)
				w.Ahead = ahead
				w.Put("k", "+a ", 7, verbs.Exptime(ttl, w.Clock))
				expires := w.Find("k").Expires
				ticks := 0
				w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
					if ticks++; ticks%5 == 0 {
						w.Clock += 1000 / 4
					}
					return verbs.Reply{}, false
				}
				for range 50 {
					w.Expect("sadd k a b", "STORED")
					w.Expect("scompact k", "OK")
					w.Holds("k", "+a +b ")
				}
				if now := w.Find("k").Expires; now != expires {
					t.Errorf("expires at %d instead of %d", now, expires)
				}
			})
		}
	}
}

// A head that is touched while it is being rewritten expires as it was touched.
func TestTouchWhileRewriting(t *testing.T) {
	w := newWorld(t)
	w.Put("k", "+a +a ", 0, 1000)
	reads := 0
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if op.Reads() && string(op.Key) == "k" {
			if reads++; reads == 2 {
				defer func() { w.Find("k").Expires = w.Seconds() + 5000 }()
				return w.Do(t, op), true
			}
		}
		return verbs.Reply{}, false
	}
	w.Expect("scompact k", "OK")
	if left := w.Find("k").Expires - w.Seconds(); left != 5000 {
		t.Errorf("%d seconds are left instead of 5000", left)
	}
}
