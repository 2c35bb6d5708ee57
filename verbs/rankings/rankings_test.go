package rankings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func TestRankingBasics(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, read := range []string{"zget k a", "zrank k a", "zrevrank k a", "zcard k", "zrem k a"} {
			w.Expect(read, "NOT_FOUND")
		}
		w.Expect("zrange k 0 -1", "END")
		w.Expect("zrevrange k 0 -1", "END")
		w.Expect("zadd k 5 a 3 b -7 c", "STORED")
		w.Expect("zsub k 1 a -2 c", "STORED")
		w.Expect("zinc k a d", "STORED")
		w.Expect("zdec k b", "STORED")
		w.Holds("k", "z=5:a z=3:b z=-7:c z+-1:a z+2:c z+1:a z+1:d z+-1:b ")
		w.Expect("zget k a b c d e", "5 2 -5 1 null")
		w.Expect("zrange k 0 -1", "VALUE k 0 7", "c d b a", "END")
		w.Expect("zrange k 0 -1 withscores", "VALUE k 0 16", "c -5 d 1 b 2 a 5", "END")
		w.Expect("zrevrange k 1 2 withscores", "VALUE k 0 7", "b 2 d 1", "END")
		w.Expect("zrange k 9 2", "VALUE k 0 0", "", "END")
		w.Expect("zrange k 0 0", "VALUE k 0 0", "", "END")
		w.Expect("zrange k 9223372036854775807 9223372036854775807", "VALUE k 0 0", "", "END")
		w.Expect("zrank k c", "0")
		w.Expect("zrevrank k c", "3")
		w.Expect("zrank k e", "NOT_FOUND")
		w.Expect("zcard k", "4")
		w.Expect("zrem k c e", "STORED")
		w.Expect("zcard k", "3")
	})
}

// Ranges of scores include both bounds, and those around a member end where the ranking does.
func TestByScore(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, read := range []string{"zcount k - +", "zaround k a 1", "zrevaround k a 1"} {
			w.Expect(read, "NOT_FOUND")
		}
		w.Expect("zbyscore k - +", "END")
		w.Expect("zrevbyscore k + - 0 5 withscores", "END")
		w.Expect("zadd k -9223372036854775808 a 1 b 2 c 2 d 3 e 9223372036854775807 f", "STORED")
		for range 3 { // from a log that was just read, from members in order, and from a view
			w.Expect("zcount k - +", "6")
			w.Expect("zcount k 2 2", "2")
			w.Expect("zcount k 3 2", "0")
			w.Expect("zcount k + -", "0")
			w.Expect("zcount k 9223372036854775807 +", "1")
			w.Expect("zcount k - -9223372036854775808", "1")
			w.Expect("zbyscore k 2 3", "VALUE k 0 5", "c d e", "END")
			w.Expect("zbyscore k 1 + 1 2 withscores", "VALUE k 0 7", "c 2 d 2", "END")
			w.Expect("zbyscore k 1 + 1 -1", "VALUE k 0 7", "c d e f", "END")
			w.Expect("zbyscore k 4 5", "VALUE k 0 0", "", "END")
			w.Expect("zbyscore k 1 3 9 9", "VALUE k 0 0", "", "END")
			w.Expect("zrevbyscore k 2 1 withscores", "VALUE k 0 11", "d 2 c 2 b 1", "END")
			w.Expect("zrevbyscore k 2 1 2 1", "VALUE k 0 1", "b", "END")
			w.Expect("zrevbyscore k 1 2", "VALUE k 0 0", "", "END")
			w.Expect("zaround k c 1", "VALUE k 0 5", "b c d", "END")
			w.Expect("zaround k a 2", "VALUE k 0 5", "a b c", "END")
			w.Expect("zaround k e 9223372036854775807", "VALUE k 0 11", "a b c d e f", "END")
			w.Expect("zaround k d 0 withscores", "VALUE k 0 3", "d 2", "END")
			w.Expect("zrevaround k f 2", "VALUE k 0 5", "f e d", "END")
			w.Expect("zrevaround k b 1 withscores", "VALUE k 0 30", "c 2 b 1 a -9223372036854775808", "END")
			w.Expect("zaround k nobody 3", "NOT_FOUND")
		}
		w.Expect("zrem k a b c d e f", "STORED")
		w.Expect("zcount k - +", "0")
		w.Expect("zbyscore k - +", "VALUE k 0 0", "", "END")
	})
}

// Members that were popped are gone, and each is popped once.
func TestPops(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("zpopmin k", "END")
		w.Expect("zpopmax k 2", "END")
		w.Expect("ztrim k 2", "NOT_FOUND")
		w.Expect("zadd k 5 a 3 b -7 c 5 d 8 e", "STORED")
		w.Expect("zpopmin k", "VALUE k 0 4", "c -7", "END")
		w.Holds("k", "z=5:a z=3:b z=-7:c z=5:d z=8:e z-c ")
		w.Expect("zpopmax k 2", "VALUE k 0 7", "e 8 d 5", "END")
		w.Expect("zincrby k 1 e", "1")
		w.Expect("zpopmin k 9", "VALUE k 0 11", "e 1 b 3 a 5", "END")
		w.Expect("zpopmin k", "VALUE k 0 0", "", "END")
		w.Expect("zcard k", "0")
		w.Expect("ztrim k 0", "STORED")
	})
}

// A trim keeps the highest, or the lowest.
func TestTrims(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("zadd k 1 a 2 b 3 c 4 d 5 e", "STORED")
		w.Expect("ztrim k 5", "STORED")
		w.Expect("ztrim k 4 noreply", "STORED") // which the proxy does not pass on
		w.Expect("ztrim k -3", "STORED")
		w.Expect("zrange k 0 -1", "VALUE k 0 5", "b c d", "END")
		w.Expect("ztrim k 9223372036854775807", "STORED")
		w.Expect("ztrim k -9223372036854775808", "STORED")
		w.Expect("zcard k", "3")
		w.Expect("ztrim k 0", "STORED")
		w.Expect("zcard k", "0")
	})
}

// A large ranking is trimmed by much.
func TestLargeTrim(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 2_000
		w.Client.Routine.Inside().Pace.Slice = 100
		for from := 0; from < 3_000; from += 500 {
			w.Send("zadd k" + verbtest.Names(500, fmt.Sprint(" ", from, " m", from, "x"), ""))
		}
		w.Expect("ztrim k 700", "STORED")
		w.Expect("zcard k", "700")
		w.Expect("zcount k 2000 2000", "200")
		w.Expect("ztrim k -300", "STORED")
		w.Expect("zcard k", "300")
		w.Expect("zcount k 2500 +", "100")
	})
}

// Scores are raised and lowered as they are when that is asked for.
func TestMaxAndMin(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.CompactDirtiness = 0
		w.Expect("zmax k 5 a -3 b", "STORED")
		w.Holds("k", "z(5:a z(-3:b ")
		w.Expect("zmax k 4 a -2 b 9223372036854775807 c", "STORED")
		w.Expect("zmin k 7 a -5 b 1 d", "STORED")
		w.Expect("zget k a b c d", "5 -5 9223372036854775807 1")
		w.Holds("k", "z=5:a z=-5:b z=9223372036854775807:c z=1:d ")
		w.Expect("zincrbyp k 10 a 5", "15")
		w.Expect("zmax k 12 a", "STORED")
		w.Expect("zget k a", "15")
		w.Holds("k", "z=5:a z=-5:b z=9223372036854775807:c z=1:d z~10@1700000005:a z(12:a ")
		w.Expect("zincrby k 1 a", "16")
		w.Clock += 5000
		w.Expect("zget k a", "13")
		w.Clock += 10_000
		w.Expect("zget k a", "13")
		w.Expect("zincrby k -1 d", "0")
		w.Expect("zcard k", "4")
		w.Holds("k", "z=13:a z=-5:b z=9223372036854775807:c z=0:d ")
		w.Expect("zmin k 1 e noreply", "STORED")
	})
}

// Members of the same score are in the order of their bytes.
func TestTies(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("zadd k 1 b 1 B 1 ab 1 a 0 z", "STORED")
		w.Expect("zrange k 0 -1", "VALUE k 0 10", "z B a ab b", "END")
		w.Expect("zrevrange k 0 2", "VALUE k 0 4", "b ab", "END")
	})
}

func TestIncrements(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("zincrby k 5 a -2 b", "5 -2")
		w.Holds("k", "z+5:a z+-2:b ")
		w.Expect("zincrby k 1 a 10 b 2 a", "6 8 8")
		w.Expect("zincrby k 9223372036854775807 a", "-9223372036854775801")
		w.Expect("zincrby k -9223372036854775808 c -9223372036854775808 c", "-9223372036854775808 0")
		w.Expect("zsub k -9223372036854775808 d", "STORED")
		w.Expect("zget k d", "-9223372036854775808")
		w.Expect("zincrby k 1 d noreply", "STORED") // which the proxy does not pass on
		w.Expect("zincrby n 1 a noreply", "STORED")
		w.Holds("n", "z+1:a ")
	})
}

// Increments that expire are undone at their time; a member with nothing else is gone; a set
// score forgets them.
func TestExpiringIncrements(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.CompactDirtiness = 0
		w.Expect("zincrbyp k 5 a 2 b 10", "5 2")
		w.Expect("zincrby k 1 a", "6")
		w.Expect("zincrbyp k 1 c 1 noreply", "STORED")
		w.Holds("k", "z~5@1700000010:a z~2@1700000010:b z+1:a z~1@1700000001:c ")
		w.Clock += 999
		w.Expect("zrevrange k 0 -1 withscores", "VALUE k 0 11", "a 6 b 2 c 1", "END")
		w.Clock++
		w.Expect("zrange k 0 -1 withscores", "VALUE k 0 7", "b 2 a 6", "END")
		w.Expect("zadd k 7 b", "STORED")
		w.Clock += 9000
		w.Expect("zget k a b c", "1 7 null")
		w.Holds("k", "z=1:a z~5@1700000010:a z=7:b z~1@1700000001:c ")
		w.Clock += 1000
		w.Expect("zcard k", "2")
		w.Holds("k", "z=1:a z~5@1700000010:a z=7:b ")
		w.Clock += 9000
		w.Expect("zcard k", "2")
		w.Holds("k", "z=1:a z=7:b ")
	})
}

// An emptied ranking that has been compacted is still a ranking.
func TestEmptiedRankingStaysOne(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.CompactDirtiness = 0
		w.Expect("zinc k a", "STORED")
		w.Expect("zrem k a", "STORED")
		w.Expect("zcard k", "0")
		w.Holds("k", "z ")
		w.Expect("zcard k", "0")
		w.Expect("zincrby k 3 b", "3")
	})
}

// What is no ranking is not read or counted in. Tokens of other kinds in a ranking mean nothing.
func TestOtherKinds(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("plain", "text", 0, 0)
		w.Put("set", "+a +b ", 0, 0)
		w.Put("pile", "y+a ", 0, 0)
		for _, key := range []string{"plain", "set", "pile"} {
			for _, request := range []string{"zget %s a", "zcard %s", "zrank %s a", "zrange %s 0 1", "zincrby %s 1 a", "zincrbyp %s 1 a 5"} {
				w.Expect(fmt.Sprintf(request, key), "CLIENT_ERROR "+key+" does not hold a ranking")
			}
		}
		w.Put("k", "z=1:a +b z=2:c h:x l>d ", 0, 0)
		w.Expect("zrange k 0 -1", "VALUE k 0 3", "a c", "END")
	})
}

// A ranking grows over many items, and its scores remain what plain sums would be.
func TestRankingOutgrowsItem(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 300
		w.Limit = 700
		w.Put("k", "z=1:first ", 5, 500)
		known := plain{}.apply("z=1:first ", 0)
		random := rand.New(rand.NewPCG(1, 20))
		for i := range 4_000 {
			member, n := fmt.Sprintf("m%d", random.IntN(700)), random.IntN(50)
			request, token := fmt.Sprintf("zadd k %d %s", n, member), fmt.Sprintf("z=%d:%s", n, member)
			switch random.IntN(8) {
			case 0:
				request, token = "zrem k "+member, "z-"+member
			case 1:
				request, token = "zdec k "+member, "z+-1:"+member
			case 2, 3:
				request, token = fmt.Sprintf("zincrbyp k %d %s 100 noreply", n, member), fmt.Sprintf("z~%d@%d:%s", n, format.Until(w.Clock, 100), member)
			}
			w.Expect(request, "STORED")
			w.Clock += random.Int64N(100)
			if known = known.apply(token, 0); i%400 == 0 {
				all := strings.Join(known.at(w.Clock), " ")
				w.Expect("zrange k 0 -1 withscores", fmt.Sprintf("VALUE k 0 %d", len(all)), all, "END")
			}
		}
		all := known.at(w.Clock)
		w.Expect("zcard k", fmt.Sprint(len(all)))
		slices.Reverse(all)
		best := strings.Join(all[:3], " ")
		w.Expect("zrevrange k 0 3 withscores", fmt.Sprintf("VALUE k 0 %d", len(best)), best, "END")
		if i := w.Find("k"); i.Flags != 5 || i.Expires-w.Seconds() < 250 {
			t.Errorf("%+v", i)
		}
		if keys, ok := format.PartKeys([]byte("k"), []byte(w.Value("k"))); !ok || len(keys) < 3 || len(w.Keys()) != 1+len(keys) {
			t.Errorf("parts %q, items %q", keys, w.Keys())
		}
	})
}

// A ranking is made by what is too long to append, and paged through.
func TestLargeRanking(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 2_000
		w.Client.Routine.Inside().Pace.Slice = 100
		var pairs strings.Builder
		for i := range 3_000 {
			fmt.Fprintf(&pairs, " %d m%04d", i/7, i)
		}
		w.Expect("zadd k"+pairs.String(), "STORED")
		for narrow := range 3 {
			left := narrow
			w.Client.Narrow = func() bool { left--; return left >= 0 }
			var all []string
			for from := 0; from < 3_000; from += 250 {
				answer := verbtest.Lines(w.Send(fmt.Sprintf("zrange k %d 250", from)))
				all = append(all, strings.Fields(answer[1])...)
			}
			if len(all) != 3_000 || !slices.IsSorted(all) {
				t.Errorf("%d members, in order %v", len(all), slices.IsSorted(all))
			}
		}
		w.Expect("zrank k m1500", "1500")
		w.Expect("zrevrank k m2999", "0")
		w.Expect("zincrby k 1000 m0000", "1000")
		w.Expect("zrevrange k 0 1", "VALUE k 0 5", "m0000", "END")
	})
}

// Increments succeed although another proxy changes the ranking before each of their operations.
func TestOrdersWhereOthersChangeAllTheTime(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		changed := 0
		w.Expect("zadd k 100 a", "STORED")
		w.Instead = func(verbs.Op) (verbs.Reply, bool) {
			changed++
			w.Put("k", w.Value("k")+"z+1:b ", 0, 0)
			return verbs.Reply{}, false
		}
		w.Expect("zincrby k 5 a", "105")
		if changed > 12+3 { // with those that find out what time it is
			t.Errorf("zincrby took %d operations", changed)
		}
		before := changed
		w.Ahead = anHour // which does not matter, nor that it is put back
		w.Expect("zincrby k 1 a -1 a 7 c", "106 105 7")
		w.Ahead = 0
		w.Expect("zincrbyp k 1 a 5", "106")
		if ops := changed - before; ops > 8 {
			t.Errorf("two more took %d operations", ops)
		}
		w.Instead = nil
		w.Expect("zget k a b c", fmt.Sprint("106 ", changed, " 7"))
		w.Clock += 6000
		w.Expect("zget k a", "105")
	})
}

// Where what an order has come to is unknown, the call fails rather than to answer with a
// wrong score.
func TestOrderOfEvictedRanking(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, evict := range []func(){
			func() { w.Evict("k") },
			func() { w.Put("k", "z=1:other ", 0, 0) },
		} {
			w.Put("k", "z=1:a ", 0, 0)
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				switch op.Kind {
				case verbs.AppendIf:
					return verbs.Reply{Status: verbs.Exists}, true
				case verbs.Append, verbs.AppendSized:
					r := w.Do(t, op)
					evict()
					return r, true
				}
				return verbs.Reply{}, false
			}
			w.Expect("zincrby k 1 a", "SERVER_ERROR it is unknown what this has changed of k: it was deleted or evicted meanwhile, or that took more than a minute")
		}
	})
}

// A ranking that others create and delete all the time is given up after many tries.
func TestCreationIsContended(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind == verbs.Add {
				return verbs.Reply{Status: verbs.NotStored}, true
			}
			return verbs.Reply{}, false
		}
		w.Expect("zincrby k 1 a", verbs.Contended([]byte("k")).Err)
	})
}

// The length of a value is told before it is written.
func TestLengthOfScores(t *testing.T) {
	for _, n := range []int64{0, 9, 10, 99, 100, 999_999_999_999_999_999, 1_000_000_000_000_000_000, -1, -9, -10, 123456789, math.MaxInt64, math.MinInt64} {
		if got, want := digits(n), len(strconv.FormatInt(n, 10)); got != want {
			t.Errorf("%d has %d characters, want %d", n, got, want)
		}
	}
}
