package verbs

import (
	"fmt"
	"strings"
	"testing"
)

// segmentsOf returns what the head under key points to.
func (w *world) segmentsOf(key string) []segment {
	w.t.Helper()
	h, ok := parseHead([]byte(w.value(key)))
	if !ok {
		w.t.Fatalf("%s holds %.300q, which is no head", key, w.value(key))
	}
	return h.segments
}

// partKeys returns the keys of the parts of all segments.
func (w *world) partKeys(key string) (keys []string) {
	for _, op := range appendOps(nil, Fetch, []byte(key), w.segmentsOf(key)) {
		keys = append(keys, string(op.Key))
	}
	return keys
}

// intact looks whether there are the items of the structure and no others.
func (w *world) intact(key string) {
	w.t.Helper()
	want := append([]string{key}, w.partKeys(key)...)
	if got := w.keys(); len(got) != len(want) {
		w.t.Errorf("there are the items %q, expected %q", got, want)
	}
}

// members compares a set, whose members have spaces between.
func (w *world) members(key, want string) {
	w.t.Helper()
	w.expect("smembers "+key, fmt.Sprintf("VALUE %s 0 %d", key, len(want)), want, "END")
}

// A set grows over a hundred items, loses some members and gets some again,
// while its head keeps its flags and its time to live.
func TestSetOutgrowsItem(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.options.StructureItemSize = 200
		w.limit = 700
		w.put("k", "+first ", 5, 500)
		naive := []string{"first"}
		longest := 0
		for i := range 5_000 {
			member := fmt.Sprintf("m%d", i)
			w.expect("sadd k "+member, "STORED")
			naive = append(naive, member)
			if i%3 == 2 {
				gone := len(naive) * 2 / 3
				w.expect("srem k "+naive[gone], "STORED")
				naive = append(naive[:gone], naive[gone+1:]...)
			}
			if i%500 == 0 {
				w.members("k", strings.Join(naive, " "))
			}
			longest = max(longest, len(w.value("k")))
		}
		w.members("k", strings.Join(naive, " "))
		w.expect("scard k", fmt.Sprint(len(naive)))
		w.expect("sismember k first nobody "+naive[777], "1 0 1")
		if i := w.find("k"); i.flags != 5 || i.expires-w.seconds() != 500 {
			t.Errorf("%+v", i)
		}
		if n := len(w.segmentsOf("k")); n < 2 || n > 12 || longest > 800 {
			t.Errorf("%d segments, a head of up to %d bytes", n, longest)
		}
		w.intact("k")
		w.expect("srem k "+strings.Join(naive, " "), "STORED")
		w.members("k", "")
	})
}

func TestLargeInsert(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limit = 2_000
		many := strings.TrimSpace(names(3_000, "", " "))
		w.expect("srem k "+many, "NOT_FOUND")
		w.expect("sadd k "+many, "STORED")
		w.members("k", many)
		w.expect("sadd k a", "STORED")
		w.expect("srem k "+strings.TrimSuffix(many, " m2999"), "STORED")
		w.members("k", "m2999 a")
		w.expect("sadd k "+many, "STORED")
		w.members("k", "m2999 a "+strings.TrimSuffix(many, " m2999"))
		w.intact("k")

		w.put("l", "+last", 3, 50) // as written by hand
		w.expect("sadd l "+many, "STORED")
		w.members("l", "last "+many)
		if i := w.find("l"); i.flags != 3 || i.expires-w.seconds() != 50 {
			t.Errorf("%+v", i)
		}
		w.put("x", "no set", 0, 0)
		w.expect("sadd x "+many, "CLIENT_ERROR x does not hold a set")
		w.put("e", "", 0, 0)
		w.expect("sadd e "+many, "STORED")
		w.members("e", many)
	})
}

// large makes k a set of several segments, and returns its members.
func (w *world) large() string {
	w.options.StructureItemSize = 100
	var all []string
	for i := 0; len(w.segmentsOf("k")) < 3; i++ {
		all = append(all, fmt.Sprintf("m%d", i))
		w.expect("sadd k "+all[i], "STORED")
	}
	return strings.Join(all, " ")
}

// Whichever part is evicted: the set is gone as a whole, and begins afresh.
func TestEvictedPart(t *testing.T) {
	for _, test := range []struct {
		request string
		answer  []string
	}{
		{"smembers k", []string{"END"}},
		{"scard k", []string{"NOT_FOUND"}},
		{"sismember k m1", []string{"NOT_FOUND"}},
		{"sadd k " + names(50, "n", ""), []string{"STORED"}},
		{"srem k " + names(50, "n", " "), []string{"NOT_FOUND"}},
	} {
		onBoth(t, func(t *testing.T, w *world) {
			w.large()
			for n, part := range w.partKeys("k") {
				again := newWorld(t)
				again.old = w.old
				again.large()
				again.evict(part)
				again.expect(test.request, test.answer...)
				again.expect("sadd k new", "STORED")
				if test.answer[0] != "STORED" {
					again.holds("k", "+new ")
				} else if again.expect("sismember k m1 new", "0 1"); t.Failed() {
					t.Fatalf("part %d", n)
				}
			}
		})
	}
}

// Settling finds that a part is missing, where nobody reads.
func TestSettlingFindsEvictedPart(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.large()
		parts := w.partKeys("k")
		w.evict(parts[len(parts)-1])
		for i := range 30 {
			w.expect(fmt.Sprintf("sadd k n%d", i), "STORED")
		}
		w.expect("sismember k m1 n29", "0 1")
	})
}

// A server without CAS can't be told to delete only what was read.
func TestEvictedPartWithoutCAS(t *testing.T) {
	w := newWorld(t)
	w.large()
	w.evict(w.partKeys("k")[0])
	w.instead = func(op Op) (Reply, bool) {
		r := w.do(t, op)
		r.CAS = 0
		return r, true
	}
	w.expect("scard k", "SERVER_ERROR a part of k was evicted, and its upstream keeps no CAS; delete it")
	if w.value("k") == "none" {
		t.Error("the head is gone")
	}
}

// A head is read again if what it pointed to has been replaced.
func TestReadingWhileReplaced(t *testing.T) {
	w := newWorld(t)
	all := w.large()
	before := 1
	w.instead = func(op Op) (Reply, bool) {
		if before--; before == -1 { // between the head and its parts
			other := newCaller(t, w)
			other.start("sadd k " + names(100, "n", " "))
			for other.busy() {
				other.carryOut(0, func(op Op) Reply { return w.do(t, op) })
			}
		}
		return Reply{}, false
	}
	w.members("k", all+" "+strings.TrimSpace(names(100, "n", " ")))
}

func TestHostileHeads(t *testing.T) {
	const id = "AAAAAAAAAAAAAAAA"
	for _, value := range []string{
		"@", "@ ", "@x ", "@" + id, "@" + id + ":1:5", "@" + id + " ", "@" + id + ":1 ", "@" + id + ":0:5 ", "@" + id + ":257:5 ",
		"@" + id + ":1:33554433 ", "@" + id + ":1:5:6 ", "@" + id + ":1:99999999999999999999 ", "@" + id + ":-1:5 ",
		"@AAAA\r\nget x\r\nAA:1:5 ", "@AAAA\x00AAAAAAAAAAA:1:5 ", "@AAAAAAAAAAAAAAA\n:1:5 ", "@AAAAAAAAAAAAAAA=:1:5 ",
		strings.Repeat("@"+id+":1:5 ", maxSegments+1), strings.Repeat("@"+id+":100:5 ", 3),
		strings.Repeat("@"+id+":1:20000000 ", 2), "+a @" + id + ":1:5 ", strings.Repeat("@"+id+":1:5 ", 2),
		"@" + id + ":1:20000000 @BBBBBBBBBBBBBBBB:1:20000000 ", "@" + id + ":200:5 @BBBBBBBBBBBBBBBB:200:5 ",
	} {
		w := newWorld(t)
		w.put("k", value, 0, 0)
		const want = "CLIENT_ERROR k does not hold a set"
		w.expect("scard k", want)
		w.expect("smembers k", want)
		w.expect("sadd k "+names(20_000, "", " "), want)
		w.holds("k", value)
		w.expect("sadd k a", "STORED") // which can't be seen without looking
	}
	w := newWorld(t)
	w.put("k", " \n@"+id+":2:6  +c ", 0, 0)
	w.put("k:"+id+".0", "+a +", 0, 0)
	w.put("k:"+id+".1", "b ", 0, 0)
	w.members("k", "a b c")
	w.put("k:"+id+".1", "bb ", 0, 0) // of another length than the pointer says
	w.expect("scard k", "NOT_FOUND")
	w.holds("k", "none")
}

// Of a segment with a part that is longer than it should be, no more is fetched than
// comes in one round trip, and nothing is kept.
func TestPartTooLong(t *testing.T) {
	const id = "AAAAAAAAAAAAAAAA"
	w := newWorld(t)
	w.put("k", "@"+id+":200:2000 ", 0, 0)
	for n := range 200 {
		w.put(fmt.Sprint("k:", id, ".", n), strings.Repeat("x", 3000), 0, 0)
	}
	w.expect("scard k", "NOT_FOUND")
	w.cost(1 + groupParts + 2) // the head, some parts; the head again, and it is deleted
	w.holds("k", "none")
}

// Where there is no room for what was read at once, it is read one by one, and the
// room that was waited for is enough.
func TestReadingWithoutRoom(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		all := w.large()
		w.expect("sadd l "+names(8_000, "", " "), "STORED")
		w.client.routine.call.pace.slice = 100
		for denied := range 8 { // so many times in a row
			for _, request := range []string{"scard k", "sunion k l", "sinter l k", "smembers k l", "srandmember k", "sdiff l k", "scompact k"} {
				w.client.narrow = nil
				want := w.send(request)
				left := denied
				w.client.narrow = func() bool { left--; return left >= 0 }
				if got := w.send(request); got != want && !strings.HasPrefix(request, "srand") {
					t.Errorf("%q: answered %.100q after %d denials, expected %.100q", request, got, denied, want)
				}
			}
		}
		w.members("k", all)
	})
}

// What stands behind a token that has no end yet can't be told from it.
func TestChangeFits(t *testing.T) {
	for _, test := range []struct {
		old, value string
		closed     bool
		want       bool
	}{
		{"", "", true, true},
		{"", "+a ", true, true},
		{"+a ", "+a ", true, true},
		{"+a ", "+a +b ", true, true},
		{"+a ", "+b +a ", true, false},
		{"+a ", "", true, false},
		{"+a", "+a", true, true},
		{"+a", "+a+b ", true, false},
		{"@x ", "@x @y +a ", false, true},
		{"@x ", "@x @y +a ", true, false},
		{"@x ", "@x  @y +a ", true, false},
	} {
		ch := change{old: []byte(test.old), closed: test.closed}
		if got := ch.fits([]byte(test.value)); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// The keys of parts are keys, however long the set's is.
func TestPartsOfLongKey(t *testing.T) {
	w := newWorld(t)
	w.options.StructureItemSize, w.limit = 300, 700
	key := strings.Repeat("k", 250)
	many := strings.TrimSpace(names(1_000, "", " "))
	w.expect("sadd "+key+" "+many, "STORED")
	w.members(key, many)
	if len(w.partKeys(key)) < 5 {
		t.Errorf("%q", w.keys())
	}
}

// A structure that can't be read at once is not made.
func TestFullStructure(t *testing.T) {
	w := newWorld(t)
	w.direct = true
	long := strings.Repeat("x", 240)
	add := func(n int) string {
		var b strings.Builder
		b.WriteString("sadd k")
		for i := range 30_000 {
			fmt.Fprintf(&b, " %s%06d", long, n*30_000+i)
		}
		return b.String()
	}
	for n := range 4 {
		w.expect(add(n), "STORED")
	}
	w.expect(add(4), "SERVER_ERROR k is full: there is no room for 37200000 bytes; remove some members, or spread them over several keys")
	w.expect("scard k", "120000")
	w.expect("srem"+strings.TrimPrefix(add(1), "sadd"), "STORED")
	w.expect("scard k", "90000")
	w.expect(add(4), "STORED")
	w.expect("scard k", "120000")
	w.expect("sadd k a", "STORED")
	w.expect("smembers k k", "SERVER_ERROR the answer is longer than 32 MB; ask for less at once")
	w.intact("k")
}

// Parts as small as the upstream's items have to be are not too many to read.
func TestFullOfSmallParts(t *testing.T) {
	w := newWorld(t)
	w.limit = 512
	w.expect("sadd k "+names(30_000, "", " "), "SERVER_ERROR k is full: there is no room for 228890 bytes; remove some members, or spread them over several keys")
	w.holds("k", "none")
	w.expect("sadd k "+names(15_000, "", " "), "STORED")
	w.expect("scard k", "15000")
	w.expect("sadd k "+names(15_000, "n", " "), "SERVER_ERROR k is full: there is no room for 232780 bytes; remove some members, or spread them over several keys")
	w.expect("scard k", "15000")
	w.intact("k")
}

// Where the upstream's limit is not known, no item is put at risk.
func TestUnknownLimit(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limitUnknown = true
		for _, limit := range []int{800, 3_000, 20_000, 1 << 20} {
			w.limit = limit
			key := fmt.Sprint("k", limit)
			var want []string
			for i := range 300 {
				member := fmt.Sprintf("m%d%s", i, strings.Repeat("x", i%100))
				w.expect("sadd "+key+" "+member, "STORED")
				want = append(want, member)
			}
			w.members(key, strings.Join(want, " "))
		}
	})
}

// Tokens longer than any member are read, and what is read is rewritten.
func TestEndlessToken(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.limit = 100_000
		long := strings.Repeat("x", 90_000)
		w.put("k", "+a +"+long, 0, 0)
		w.expect("sadd k a", "STORED") // a part of that token
		w.members("k", "a "+long+"+a")
		w.expect("scompact k", "OK")
		w.expect("sadd k c", "STORED")
		w.members("k", "a "+long+"+a c")
	})
}
