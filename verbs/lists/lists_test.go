package lists

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func TestListBasics(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("llen k", "NOT_FOUND")
		w.Expect("lrange k", "END")
		w.Expect("lpop k", "END")
		w.Expect("ltrim k 0 1", "NOT_FOUND")
		w.Expect("lrem k 0 a", "NOT_FOUND")
		w.Expect("rpush k a b a", "STORED")
		w.Expect("lpush k c d", "STORED")
		w.Holds("k", "l>a l>b l>a l<c l<d ")
		w.Expect("lrange k", "VALUE k 0 9", "d c a b a", "END")
		w.Expect("llen k", "5")
		w.Expect("lrem k -1 a", "STORED")
		w.Expect("lrange k", "VALUE k 0 7", "d c a b", "END")
		w.Expect("lpop k", "VALUE k 0 1", "d", "END")
		w.Expect("rpop k 2", "VALUE k 0 3", "b a", "END")
		w.Expect("lpop k 9", "VALUE k 0 1", "c", "END")
		w.Expect("lpop k", "VALUE k 0 0", "", "END")
		w.Expect("llen k", "0")
	})
}

func TestRange(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("rpush k a b c d", "STORED")
		for words, want := range map[string]string{
			"":        "a b c d",
			" 0 0":    "a",
			" 0 -1":   "a b c d",
			" 1 2":    "b c",
			" -2 -1":  "c d",
			" -9 1":   "a b",
			" 2 99":   "c d",
			" 3 1":    "",
			" 4 9":    "",
			" -1 -2":  "",
			" 0 -9":   "",
			" -9 -5":  "",
			" 99 100": "",
			" -9223372036854775808 9223372036854775807": "a b c d",
			" 9223372036854775807 -9223372036854775808": "",
		} {
			w.Expect("lrange k"+words, fmt.Sprintf("VALUE k 0 %d", len(want)), want, "END")
		}
	})
}

func TestTrim(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Expect("rpush k "+verbtest.Names(100, "", " "), "STORED")
		w.Expect("ltrim k 0 -2", "STORED")
		w.Expect("llen k", "99")
		w.Expect("ltrim k -3 -1", "STORED")
		w.Expect("lrange k", "VALUE k 0 11", "m96 m97 m98", "END")
		w.Expect("ltrim k 1 1", "STORED")
		w.Expect("lrange k", "VALUE k 0 3", "m97", "END")
		w.Expect("ltrim k 5 1", "STORED")
		w.Expect("lrange k", "VALUE k 0 0", "", "END")
		w.Expect("rpush k a", "STORED")
		w.Expect("lrange k", "VALUE k 0 1", "a", "END")
	})
}

// An emptied list that has been compacted is still a list.
func TestEmptiedListStaysOne(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.CompactDirtiness = 0
		w.Expect("rpush k a", "STORED")
		w.Expect("lrem k 0 a", "STORED")
		w.Expect("llen k", "0")
		w.Holds("k", "l ")
		w.Expect("llen k", "0")
		w.Expect("rpush k b", "STORED")
		w.Expect("lpop k", "VALUE k 0 1", "b", "END")
	})
}

// What is no list is not read or popped from. Tokens of other kinds in a list mean nothing.
func TestOtherKinds(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("plain", "text", 0, 0)
		w.Put("set", "+a +b ", 0, 0)
		w.Put("pile", "y+a ", 0, 0)
		for _, key := range []string{"plain", "set", "pile"} {
			for _, request := range []string{"lrange %s", "llen %s", "lpop %s", "rpop %s 20", "ltrim %s 0 0"} {
				w.Expect(fmt.Sprintf(request, key), "CLIENT_ERROR "+key+" does not hold a list")
			}
		}
		w.Put("k", "l>a +b l>c h:x ", 0, 0)
		w.Expect("lrange k", "VALUE k 0 3", "a c", "END")
	})
}

// A queue never grows, however much passes through it, whether or not it is read otherwise.
func TestQueueStaysShort(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 2_000
		const held = 100
		longest, items := 0, 0
		for n := range 6_000 {
			w.Expect(fmt.Sprintf("rpush k e%d", n), "STORED")
			if n >= held {
				want := fmt.Sprintf("e%d", n-held)
				w.Expect("lpop k", fmt.Sprintf("VALUE k 0 %d", len(want)), want, "END")
			}
			longest, items = max(longest, len(w.Value("k"))), max(items, len(w.Keys()))
		}
		w.Expect("llen k", fmt.Sprint(held))
		if longest > 4_000 || items > 5 {
			t.Errorf("its head had up to %d bytes, and there were up to %d items", longest, items)
		}
	})
}

// A list grows over many items, loses elements everywhere, and remains what a plain list
// would be.
func TestListOutgrowsItem(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Settings.StructureItemSize = 300
		w.Limit = 700
		w.Put("k", "l>first ", 5, 500)
		naive := deque{"first"}
		random := verbtest.Counter(1 << 20)
		for i := range 4_000 {
			value := fmt.Sprintf("v%d", i%700)
			request, token := "rpush k "+value, "l>"+value
			switch random() % 7 {
			case 0:
				request, token = "lpush k "+value, "l<"+value
			case 1:
				request, token = "lrem k 1 "+value, "l("+value
			case 2:
				request, token = "lrem k -1 "+value, "l)"+value
			}
			w.Expect(request, "STORED")
			if naive = naive.apply(token); i%400 == 0 {
				all := strings.Join(naive, " ")
				w.Expect("lrange k", fmt.Sprintf("VALUE k 0 %d", len(all)), all, "END")
			}
		}
		w.Expect("llen k", fmt.Sprint(len(naive)))
		w.Expect("lrange k -3 -2", fmt.Sprintf("VALUE k 0 %d", len(strings.Join(naive[len(naive)-3:][:2], " "))), strings.Join(naive[len(naive)-3:][:2], " "), "END")
		if i := w.Find("k"); i.Flags != 5 || i.Expires-w.Seconds() != 500 {
			t.Errorf("%+v", i)
		}
		if keys, ok := format.PartKeys([]byte("k"), []byte(w.Value("k"))); !ok || len(keys) < 3 || len(w.Keys()) != 1+len(keys) {
			t.Errorf("parts %q, items %q", keys, w.Keys())
		}
		w.Expect("ltrim k 3 5", "STORED")
		all := strings.Join(naive[3:6], " ")
		w.Expect("lrange k", fmt.Sprintf("VALUE k 0 %d", len(all)), all, "END")
	})
}

// A list is made by what is too long to append.
func TestLargePush(t *testing.T) {
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Limit = 2_000
		many := strings.TrimSpace(verbtest.Names(3_000, "", " "))
		w.Expect("lrem k 1 a", "NOT_FOUND")
		w.Expect("rpush k "+many, "STORED")
		w.Expect("lrange k", fmt.Sprintf("VALUE k 0 %d", len(many)), many, "END")
		w.Expect("lpush k a", "STORED")
		w.Expect("lrange k 0 1", "VALUE k 0 4", "a m0", "END")
		w.Expect("ltrim k 0 1", "STORED")
		w.Expect("lrange k", "VALUE k 0 4", "a m0", "END")
	})
}

// A queue that holds little is compacted by those who pop, as nobody else reads it.
func TestPopsCompact(t *testing.T) {
	verbtest.Long(t)
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		for _, requests := range [][2]string{{"rpush k a b c", "lpop k 3"}, {"lpush k a b", "rpop k 2"}, {"rpush k a b", "ltrim k -1 -1"}} {
			longest := 0
			for range 1000 {
				w.Send(requests[0])
				w.Send(requests[1])
				longest = max(longest, len(w.Value("k")))
			}
			if longest > 6000 {
				t.Errorf("%q: the head had %d bytes", requests, longest)
			}
		}
	})
}

// The many tokens that a short lrem asks for are counted as memory before it begins.
func TestRoomForRemovals(t *testing.T) {
	value := strings.Repeat("x", protocol.MaxKey)
	for words, least := range map[string]int{"1 a": 0, "0 " + value: 0, "1000 " + value: 2 * 1000 * len(value), "-1000 " + value: 2 * 1000 * len(value)} {
		room := lrem.ArgumentsMemory([]byte(words), nil)
		if room < least || least == 0 && room > 0 {
			t.Errorf("lrem k %.20s… has room for %d bytes, expected %d", words, room, least)
		}
		if encoded := removals(&verbs.Call{Arguments: verbs.Arguments{Words: []byte(words)}}); len(encoded) > lrem.Tokens([]byte(words), nil) {
			t.Errorf("lrem k %.20s… has tokens of %d bytes, more than announced", words, len(encoded))
		}
	}
}

// However often a list is rewritten, it expires when it should, also if that is a point in time: it
// is more than a month off.
func TestTimeToLiveStays(t *testing.T) {
	verbtest.Long(t)
	const day = 24 * 60 * 60
	for _, days := range []int64{60, 20} {
		w := verbtest.NewWorld(t, theVerbs)
		w.Tick = 500 // memcached's clock is late by so many milliseconds
		w.Settings.CompactDirtiness = 0
		w.Put("k", "l>a ", 0, 0)
		expires := w.Seconds() + days*day
		w.Items["k"].Expires = expires
		for range 2000 {
			w.Clock += 1000
			w.Send("rpush k x")
			w.Send("lpop k")
			w.Send("lrange k")
		}
		if off := w.Items["k"].Expires - expires; off < -200 || off > 200 {
			t.Errorf("the list of %d days expires %d s later than it should", days, off)
		}
	}
}
