package lists

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// deque is a list as the tokens describe it, in the plainest way. An element with data is a plus sign and what its
// token has after the sign: +<id>.<flags>.<data>.
type deque []string

// apply applies a log.
func (d deque) apply(log string) deque {
	d = slices.Clone(d)
	for _, token := range verbtest.Words(log) {
		if len(token) < 3 || token[0] != letter {
			continue
		}
		value := token[2:]
		switch token[1] {
		case signData:
			d = d.applyData(token[2], token[3:])
		case pushRight:
			d = append(d, value)
		case pushLeft:
			d = slices.Insert(d, 0, value)
		case removeAll:
			d = slices.DeleteFunc(d, func(other string) bool { return other == value })
		case removeFirst:
			if i := slices.Index(d, value); i >= 0 {
				d = slices.Delete(d, i, i+1)
			}
		case removeLast:
			for i := len(d) - 1; i >= 0; i-- {
				if d[i] == value {
					d = slices.Delete(d, i, i+1)
					break
				}
			}
		}
	}
	return d
}

// applyData applies a token about an element with data.
func (d deque) applyData(sign byte, text string) deque {
	switch sign {
	case pushRight:
		return append(d, "+"+text)
	case pushLeft:
		return slices.Insert(d, 0, "+"+text)
	case removeAll:
		return slices.DeleteFunc(d, func(other string) bool { return strings.HasPrefix(other, "+"+text+".") })
	}
	return d
}

// randomLog returns a log of so many tokens about few values, and elements with data under few ids.
func randomLog(r *rand.Rand, tokens, values int) string {
	signs := [][]byte{[]byte("><()-"), []byte(">>>(("), []byte(">>)"), []byte("><()()"), []byte(">")}[r.IntN(5)]
	var b strings.Builder
	for range tokens {
		switch sign := signs[r.IntN(len(signs))]; {
		case r.IntN(3) > 0:
			fmt.Fprintf(&b, "l%cv%d ", sign, r.IntN(values))
		case sign == pushRight || sign == pushLeft:
			fmt.Fprintf(&b, "l+%celement-%04d.%d.d%d ", sign, r.IntN(values), r.IntN(2), r.IntN(2))
		default:
			fmt.Fprintf(&b, "l+-element-%04d ", r.IntN(values))
		}
		switch r.IntN(20) {
		case 0:
			b.WriteString([]string{"+a ", "h:x ", "l ", " \n", "z+3:v1 "}[r.IntN(5)])
		}
	}
	return b.String()
}

// elements returns the elements of the list that a log comes to.
func elementsOf(t *testing.T, l *List, log string) deque {
	t.Helper()
	if !l.Read(nil, []byte(log), 0) {
		t.Fatalf("%.300q is no list", log)
	}
	return l.all()
}

// all returns all elements of the list.
func (l *List) all() deque {
	var all deque
	for e := range l.elements(nil, 0, l.Live()) {
		all = append(all, e.String())
	}
	return all
}

// String returns the element as a deque has it.
func (e element) String() string {
	if e.data {
		return "+" + string(e.text)
	}
	return string(e.text)
}

// sizeOf returns the length of elements in the log, and how many of them have data.
func sizeOf(all deque) (length, data int) {
	for _, e := range all {
		if length += len(e); e[0] == '+' {
			length--
			data++
		}
	}
	return length, data
}

// The laws of [format.Fold], and that a log comes to the list that its tokens describe.
func TestLawsOfFold(t *testing.T) {
	verbtest.Long(t)
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		values := 1 + r.IntN(4)
		before, first, second := randomLog(r, r.IntN(8), values), randomLog(r, r.IntN(10), values), randomLog(r, r.IntN(10), values)
		want := deque{}.apply(first + second)
		var l, other List
		if got := elementsOf(t, &l, first); !slices.Equal(got, deque{}.apply(first)) {
			t.Fatalf("%q is read as %q", first, got)
		}
		if !l.Extend([]byte(first+second), 0) {
			elementsOf(t, &l, first+second)
		}
		if got := l.all(); !slices.Equal(got, want) {
			t.Fatalf("law 3: %q extended by %q is %q, expected %q", first, second, got, want)
		}
		if l.Live() != len(want) || l.Live()+l.Dead() != len(strings.Fields(first+second)) {
			t.Fatalf("law 3: %q extended by %q: %d live and %d dead", first, second, l.Live(), l.Dead())
		}
		if length, data := sizeOf(want); l.length != length || l.data != data {
			t.Fatalf("law 3: %q extended by %q: %d bytes, %d with data", first, second, l.length, l.data)
		}
		if got := elementsOf(t, &other, string(l.AppendLog(nil, nil))); !slices.Equal(got, want) {
			t.Fatalf("law 1: the log of %q makes %q, expected %q", first+second, got, want)
		}
		net := string(l.AppendNet(nil, nil))
		if got, want := (deque{}.apply(before + net)), (deque{}.apply(before + first + second)); !slices.Equal(got, want) {
			t.Fatalf("law 2: %q has the net %q; after %q that makes %q, expected %q", first+second, net, before, got, want)
		}
		if len(net) > len(first+second) {
			t.Fatalf("law 2: %q has the longer net %q", first+second, net)
		}
	}
}

// Any range of a list is found, whether or not elements were removed in its middle.
func TestRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		var l List
		all := elementsOf(t, &l, randomLog(r, r.IntN(60), 1+r.IntN(20)))
		from := r.IntN(len(all) + 1)
		to := from + r.IntN(len(all)-from+1)
		var got deque
		pace := &verbs.Pace{Slice: 1 + r.IntN(5), Pause: func() {}}
		for e := range l.elements(pace, from, to) {
			got = append(got, e.String())
		}
		if !slices.Equal(got, all[from:to]) {
			t.Fatalf("%q from %d to %d: %q", all, from, to, got)
		}
	}
}

// What cancels is left out of the net, and what may not is kept.
func TestNet(t *testing.T) {
	for log, want := range map[string]string{
		"l>a l>b ":                             "l>a l>b ",
		"l>a l)a ":                             "",
		"l<a l(a ":                             "",
		"l>a l(a ":                             "l>a l(a ",
		"l<a l)a ":                             "l<a l)a ",
		"l>a l<a l)a ":                         "l<a ",
		"l>a l(a l<a l)a ":                     "l>a l(a l<a l)a ",
		"l>a l>a l(a l)a ":                     "l>a l>a l(a l)a ",
		"l>a l(a l>a l)a ":                     "l>a l(a ",
		"l>a l(a l)a l-a l>a l)a":              "l-a ",
		"l-a l>b l-a l)b ":                     "l-a ",
		"l>a l>b l)a l)b l>c ":                 "l>c ",
		"+x l h:y ":                            "",
		"l+>element-0001.7.a l+-element-0001 ": "l+-element-0001 ",
		"l+>element-0001.7.a l+>element-0002.7.a l+-element-0001 ":                    "l+>element-0002.7.a l+-element-0001 ",
		"l+<element-0001.7.a l>element-0001 l-element-0001 ":                          "l+<element-0001.7.a l-element-0001 ",
		"l>element-0001 l+-element-0001 ":                                             "l>element-0001 l+-element-0001 ",
		"l+>element-0001.7.a l~caller-a--------.1.7.(1 l+-element-0001 ":              "l+>element-0001.7.a l~caller-a--------.1.7.(1 l+-element-0001 ",
		"l=caller-a--------.1.7 l+:element-0001.7.a l+-element-0001 l+-element-0001 ": "l=caller-a--------.1.7 l+:element-0001.7.a l+-element-0001 ",
	} {
		var l List
		elementsOf(t, &l, log)
		if got := string(l.AppendNet(nil, nil)); got != want {
			t.Errorf("the net of %q is %q, expected %q", log, got, want)
		}
	}
}

func TestNoList(t *testing.T) {
	var l List
	for _, log := range []string{
		"l+", "l+>", "l+>element-0001", "l+>element-0001.", "l+>element-0001.7", "l+>element-001.7.a", "l+>element-0001.-7.a", "l+>element-0001.4294967296.a",
		"l+>element-0001..a", "l+(element-0001", "l+)element-0001.7.a", "l+-element-001", "l+-element-0001.", "l+:element-0001",
		"x", "a b", "l>", "l> ", "l?a", "l>a x", "@x", "l>a l"[:4] + "l*v", "\x00", "l=a l>b x!",
	} {
		if l.Read(nil, []byte(log), 0) {
			t.Errorf("%q was read as a list of %q", log, l.all())
		}
	}
}

func FuzzList(f *testing.F) {
	f.Add([]byte("l>a l<b l(a "), []byte("l)b l-a "))
	f.Add([]byte("l \n l>\x01 +a"), []byte("h:x l>ll>l l"))
	f.Add([]byte(""), []byte("l>a l>a l(a l)a"))
	f.Add([]byte("l+>element-0001.7.a~`b l+<element-0002.0. "), []byte("l+-element-0001 l+:element-0002.0.~>~`"))
	f.Add([]byte("l>a\u00a0b "), []byte("l<c\u0085l(a"))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var l, whole List
		log := append(append(slices.Clone(first), ' '), second...)
		if !l.Read(nil, append(slices.Clone(first), ' '), 0) {
			return
		}
		extended, ok := l.Extend(log, 0), whole.Read(nil, log, 0)
		if extended && (!ok || !slices.Equal(l.all(), whole.all())) {
			t.Fatalf("%q extended by %q is %q; as a whole it is %q", first, second, l.all(), whole.all())
		}
		if ok && !slices.Equal(whole.all(), deque{}.apply(string(log))) {
			t.Fatalf("%q was read as %q", log, whole.all())
		}
	})
}
