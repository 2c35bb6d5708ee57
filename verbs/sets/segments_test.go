package sets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// partKeys returns the keys of the parts of all segments.
func partKeys(w *verbtest.World, key string) []string {
	w.T.Helper()
	keys, ok := format.PartKeys([]byte(key), []byte(w.Value(key)))
	if !ok {
		w.T.Fatalf("%s holds %.300q, which is no head", key, w.Value(key))
	}
	return keys
}

// pointers returns how many segments the head under key points to.
func pointers(w *verbtest.World, key string) int {
	w.T.Helper()
	partKeys(w, key) // fails if it is no head
	return strings.Count(" "+w.Value(key), " @")
}

// intact checks that exactly the items of the structure exist.
func intact(w *verbtest.World, key string) {
	w.T.Helper()
	want := append([]string{key}, partKeys(w, key)...)
	if got := w.Keys(); len(got) != len(want) {
		w.T.Errorf("there are the items %q, expected %q", got, want)
	}
}

// members compares the members of a set with want, which separates them by spaces.
func members(w *verbtest.World, key, want string) {
	w.T.Helper()
	w.Expect("smembers "+key, fmt.Sprintf("VALUE %s 0 %d", key, len(want)), want, "END")
}

// A set grows over a hundred items, loses some members and gets some again,
// while its head keeps its flags and its time to live.
func TestSetOutgrowsItem(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 200
		w.Limit = 700
		w.Put("k", "+first ", 5, 500)
		naive := []string{"first"}
		longest := 0
		for i := range 5_000 {
			member := fmt.Sprintf("m%d", i)
			w.Expect("sadd k "+member, "STORED")
			naive = append(naive, member)
			if i%3 == 2 {
				gone := len(naive) * 2 / 3
				w.Expect("srem k "+naive[gone], "STORED")
				naive = append(naive[:gone], naive[gone+1:]...)
			}
			if i%500 == 0 {
				members(w, "k", strings.Join(naive, " "))
			}
			longest = max(longest, len(w.Value("k")))
		}
		members(w, "k", strings.Join(naive, " "))
		w.Expect("scard k", fmt.Sprint(len(naive)))
		w.Expect("sismember k first nobody "+naive[777], "1 0 1")
		if i := w.Find("k"); i.Flags != 5 || i.Expires-w.Seconds() != 500 {
			t.Errorf("%+v", i)
		}
		if n := pointers(w, "k"); n < 2 || n > 12 || longest > 800 {
			t.Errorf("%d segments, a head of up to %d bytes", n, longest)
		}
		intact(w, "k")
		w.Expect("srem k "+strings.Join(naive, " "), "STORED")
		w.Holds("k", "none") // it has a time to live
	})
}

func TestLargeInsert(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 2_000
		many := strings.TrimSpace(verbtest.Names(3_000, "", " "))
		w.Expect("srem k "+many, "NOT_FOUND")
		w.Expect("sadd k "+many, "STORED")
		members(w, "k", many)
		w.Expect("sadd k a", "STORED")
		w.Expect("srem k "+strings.TrimSuffix(many, " m2999"), "STORED")
		members(w, "k", "m2999 a")
		w.Expect("sadd k "+many, "STORED")
		members(w, "k", "m2999 a "+strings.TrimSuffix(many, " m2999"))
		intact(w, "k")

		w.Put("l", "+last", 3, 50) // without a space, as if written by hand
		w.Expect("sadd l "+many, "STORED")
		members(w, "l", "last "+many)
		if i := w.Find("l"); i.Flags != 3 || i.Expires-w.Seconds() != 50 {
			t.Errorf("%+v", i)
		}
		w.Put("x", "no set", 0, 0)
		w.Expect("sadd x "+many, "CLIENT_ERROR x does not hold a set")
		w.Put("e", "", 0, 0)
		w.Expect("sadd e "+many, "STORED")
		members(w, "e", many)
	})
}

// large makes k a set of several segments, and returns its members.
func large(w *verbtest.World) string {
	w.Settings.StructureItemSize = 100
	var all []string
	for i := 0; pointers(w, "k") < 3; i++ {
		all = append(all, fmt.Sprintf("m%d", i))
		w.Expect("sadd k "+all[i], "STORED")
	}
	return strings.Join(all, " ")
}

// Whichever part is evicted, the whole set is lost, and the next sadd creates a new
// one.
func TestEvictedPart(t *testing.T) {
	long := verbtest.Names(50, "n", " ") // so that they are not appended
	for _, request := range append(requests(t, reading), "sadd k "+long, "srem k "+long) {
		onBoth(t, func(t *testing.T, w *verbtest.World) {
			missing := newWorld(t)
			missing.Old, missing.Settings.StructureItemSize = w.Old, 100
			want := missing.Send(request)
			large(w)
			for n, part := range partKeys(w, "k") {
				again := newWorld(t)
				again.Old = w.Old
				large(again)
				again.Evict(part)
				again.Expect(request, verbtest.Lines(want)...)
				again.Expect("sadd k new", "STORED")
				if missing.Find("k") == nil {
					again.Holds("k", "+new ")
				} else if again.Expect("sismember k m1 new", "0 1"); t.Failed() {
					t.Fatalf("part %d", n)
				}
			}
		})
	}
}

// If the set has been created anew by the time that the head without the part is deleted, the new one
// stays.
func TestNewSetIsNotDeletedForTheLostOne(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		large(w)
		w.Evict(partKeys(w, "k")[0])
		other := newWorld(t) // through another proxy
		other.Model = w.Model
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind == verbs.Delete || op.Kind == verbs.DeleteIf {
				w.Instead = nil
				w.Evict("k")
				other.Expect("sadd k new", "STORED")
			}
			return w.Do(t, op), true
		}
		w.Expect("smembers k", "VALUE k 0 3", "new", "END")
		if w.Instead != nil {
			t.Fatal("the head was not deleted")
		}
		w.Expect("sismember k new m1", "1 0")
	})
}

// A set that is compacted to tokens has been settled meanwhile, by which its head has got a pointer
// more. That must not come after the tokens, where nothing reads it.
func TestNoPointerFollowsTokens(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		part := strings.Repeat("+b -b ", 300) + "+a " // which settling does not read
		w.Put("k", fmt.Sprintf("@0123456789abcdeA:1:%d ", len(part)), 0, 0)
		w.Put(partKeys(w, "k")[0], part, 0, 0)
		other := newWorld(t) // through another proxy
		other.Model, other.Settings.StructureItemSize = w.Model, 100
		n := 0
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if op.Kind != verbs.Swap {
				return verbs.Reply{}, false
			}
			w.Instead = nil
			for ; pointers(w, "k") < 2; n++ {
				other.Expect(fmt.Sprintf("sadd k m%d", n), "STORED")
			}
			return verbs.Reply{}, false
		}
		w.Expect("scompact k", "OK")
		w.Expect("scard k", fmt.Sprint(n+1))
		intact(w, "k")
	})
}

// Settling finds a missing part of a set that nobody reads.
func TestSettlingFindsEvictedPart(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		large(w)
		parts := partKeys(w, "k")
		w.Evict(parts[len(parts)-1])
		for i := range 30 {
			w.Expect(fmt.Sprintf("sadd k n%d", i), "STORED")
		}
		w.Expect("sismember k m1 n29", "0 1")
	})
}

// A server without CAS can't delete a head only if it is unchanged.
func TestEvictedPartWithoutCAS(t *testing.T) {
	w := newWorld(t)
	large(w)
	w.Evict(partKeys(w, "k")[0])
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		r := w.Do(t, op)
		r.CAS = 0
		return r, true
	}
	w.Expect("scard k", "SERVER_ERROR a part of k was evicted, and its upstream keeps no CAS; delete it")
	if w.Value("k") == "none" {
		t.Error("the head is gone")
	}
}

// A head is read again if the segments it pointed to have been replaced.
func TestReadingWhileReplaced(t *testing.T) {
	w := newWorld(t)
	all := large(w)
	before := 1
	w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
		if before--; before == -1 { // between the head and its parts
			other := verbtest.NewCaller(t, w, theVerbs)
			other.Start("sadd k " + verbtest.Names(100, "n", " "))
			for other.Busy() {
				other.CarryOut(0, func(op verbs.Op) verbs.Reply { return w.Do(t, op) })
			}
		}
		return verbs.Reply{}, false
	}
	members(w, "k", all+" "+strings.TrimSpace(verbtest.Names(100, "n", " ")))
}

func TestHostileHeads(t *testing.T) {
	verbtest.Long(t)
	const id = "AAAAAAAAAAAAAAAA"
	for _, value := range []string{
		"@", "@ ", "@x ", "@" + id, "@" + id + ":1:5", "@" + id + " ", "@" + id + ":1 ", "@" + id + ":0:5 ", "@" + id + ":257:5 ",
		"@" + id + ":1:33554433 ", "@" + id + ":1:5:6 ", "@" + id + ":1:99999999999999999999 ", "@" + id + ":-1:5 ",
		"@AAAA\r\nget x\r\nAA:1:5 ", "@AAAA\x00AAAAAAAAAAA:1:5 ", "@AAAAAAAAAAAAAAA\n:1:5 ", "@AAAAAAAAAAAAAAA=:1:5 ",
		strings.Repeat("@"+id+":1:5 ", format.MaxSegments+1), strings.Repeat("@"+id+":100:5 ", 3),
		strings.Repeat("@"+id+":1:20000000 ", 2), "+a @" + id + ":1:5 ", strings.Repeat("@"+id+":1:5 ", 2),
		"@" + id + ":1:20000000 @BBBBBBBBBBBBBBBB:1:20000000 ", "@" + id + ":200:5 @BBBBBBBBBBBBBBBB:200:5 ",
	} {
		w := newWorld(t)
		w.Put("k", value, 0, 0)
		const want = "CLIENT_ERROR k does not hold a set"
		w.Expect("scard k", want)
		w.Expect("smembers k", want)
		w.Expect("sadd k "+verbtest.Names(20_000, "", " "), want)
		w.Holds("k", value)
		w.Expect("sadd k a", "STORED") // sadd does not notice, as it does not read
	}
	w := newWorld(t)
	w.Put("k", " \n@"+id+":2:6  +c ", 0, 0)
	w.Put("k:"+id+".0", "+a +", 0, 0)
	w.Put("k:"+id+".1", "b ", 0, 0)
	members(w, "k", "a b c")
	w.Put("k:"+id+".1", "bb ", 0, 0) // with another length than the pointer says
	w.Expect("scard k", "NOT_FOUND")
	w.Holds("k", "none")
}

// If a part of a segment is too long, no more of the segment is fetched than in one
// round trip, and nothing is kept.
func TestPartTooLong(t *testing.T) {
	const id = "AAAAAAAAAAAAAAAA"
	w := newWorld(t)
	w.Put("k", "@"+id+":200:2000 ", 0, 0)
	for n := range 200 {
		w.Put(fmt.Sprint("k:", id, ".", n), strings.Repeat("x", 3000), 0, 0)
	}
	w.Expect("scard k", "NOT_FOUND")
	w.Cost(1 + structure.GroupParts + 2) // fetch the head, some parts, the head again; delete it
	w.Holds("k", "none")
}

// If there is no room for reading all parts at once, they are read one by one, and the
// room that was waited for suffices.
func TestReadingWithoutRoom(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		all := large(w)
		w.Expect("sadd l "+verbtest.Names(8_000, "", " "), "STORED")
		w.Client.Routine.Inside().Pace.Slice = 100
		for denied := range 8 { // how often room is denied in a row
			for _, request := range append(requests(t, readOnly), "sdiff l k", "scompact k") {
				w.Client.Narrow = nil
				want := w.Send(request)
				left := denied
				w.Client.Narrow = func() bool { left--; return left >= 0 }
				if got := w.Send(request); got != want && !strings.HasPrefix(request, "srand") {
					t.Errorf("%q: answered %.100q after %d denials, expected %.100q", request, got, denied, want)
				}
			}
		}
		members(w, "k", all)
	})
}

// The keys of parts are valid, however long the set's key is.
func TestPartsOfLongKey(t *testing.T) {
	w := newWorld(t)
	w.Settings.StructureItemSize, w.Limit = 300, 700
	key := strings.Repeat("k", 250)
	many := strings.TrimSpace(verbtest.Names(1_000, "", " "))
	w.Expect("sadd "+key+" "+many, "STORED")
	members(w, key, many)
	if len(partKeys(w, key)) < 5 {
		t.Errorf("%q", w.Keys())
	}
}

// While the upstream's size limit is unknown, no operation risks an item.
func TestUnknownLimit(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.LimitUnknown = true
		for _, limit := range []int{800, 3_000, 20_000, 1 << 20} {
			w.Limit = limit
			key := fmt.Sprint("k", limit)
			var want []string
			for i := range 300 {
				member := fmt.Sprintf("m%d%s", i, strings.Repeat("x", i%100))
				w.Expect("sadd "+key+" "+member, "STORED")
				want = append(want, member)
			}
			members(w, key, strings.Join(want, " "))
		}
	})
}

// Tokens longer than any member can be read and rewritten.
func TestEndlessToken(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 100_000
		long := strings.Repeat("x", 90_000)
		w.Put("k", "+a +"+long, 0, 0)
		w.Expect("sadd k a", "STORED") // it continues that token
		members(w, "k", "a "+long+"+a")
		w.Expect("scompact k", "OK")
		w.Expect("sadd k c", "STORED")
		members(w, "k", "a "+long+"+a c")
	})
}

// A client may have replaced the item that is the lease of a merge: its own item stays.
func TestLeaseIsReplaced(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		const lease = "k:@merge"
		w.Settings.StructureItemSize = 200
		merges := 0
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if string(op.Key) == lease && op.Kind == verbs.Fetch && w.Value(lease) != "none" {
				r := w.Do(t, op)
				merges++
				w.Evict(lease)
				w.Put(lease, "mine", 0, 0)
				return r, true
			}
			return verbs.Reply{}, false
		}
		for i := 0; i < 2000 && merges == 0; i++ {
			w.Expect(fmt.Sprint("sadd k member", i), "STORED")
		}
		w.Holds(lease, "mine")
		w.Evict(lease)
		w.Instead = nil
		for i := range 500 {
			w.Expect(fmt.Sprint("sadd k other", i), "STORED")
		}
		w.Holds(lease, "none")
		if n := pointers(w, "k"); merges != 1 || n > 12 {
			t.Errorf("%d merges, %d segments", merges, n)
		}
	})
}

// A memcached that has no memory to append to a short set is not told as a set that is full.
func TestMemcachedWithoutMemory(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("k", "+a +b ", 0, 0)
		w.Fill("k")
		w.Expect("sadd k c", "SERVER_ERROR memcached refuses to append 3 bytes to the item of k, which has 6: it seems to be out of memory; try again, or give it more memory")
		w.Expect("smembers k", "VALUE k 0 3", "a b", "END")
	})
}

// Another client may append a token without the space after it, just when the head is settled. The
// segment that is written then, and what follows, keep that token apart.
func TestSettledTokenLacksItsSpace(t *testing.T) {
	w := newWorld(t)
	w.Settings.StructureItemSize = 200
	naive, others := "", 0
	for i := range 600 {
		w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
			if value := w.Value("k"); op.Kind == verbs.Fetch && len(value) > 175 && strings.HasSuffix(value, " ") {
				w.Put("k", fmt.Sprint(value, "+other", others), 0, 0)
				naive += fmt.Sprintf(" other%d", others)
				others++
			}
			return verbs.Reply{}, false
		}
		naive += fmt.Sprintf(" m%d", i)
		w.Expect(fmt.Sprintf("sadd k m%d", i), "STORED")
	}
	w.Instead = nil
	members(w, "k", naive[1:])
	if others < 20 {
		t.Errorf("the head was settled %d times", others)
	}
}

// A copy of the head alone is none of the set: it is deleted, and the original and its items stay. A
// token whose space is missing becomes one with the next.
func TestCopiedHead(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		large(w)
		before := w.Send("smembers l k")
		w.Put("copy", w.Value("k"), 0, 0)
		w.Expect("scard copy", "NOT_FOUND")
		if slices.Contains(w.Keys(), "copy") {
			t.Error("the copied head is still there")
		}
		if after := w.Send("smembers l k"); after != before {
			t.Errorf("the original was %.40q and is %.40q", before, after)
		}
		w.Put("short", "+d +e", 0, 0)
		w.Expect("sadd short f", "STORED")
		w.Expect("smembers short", "VALUE short 0 5", "d e+f", "END")
	})
}
