package tasks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// The names of puts, and the nonces, in random logs.
func putName(n int) string   { return fmt.Sprintf("put-%c-----------", 'A'+n) }
func nonceName(n int) string { return fmt.Sprintf("nonce-%c----", 'A'+n) }

// randomLog returns a log of so many tokens about few puts and few ids.
func randomLog(r *rand.Rand, tokens, puts int) string {
	signs := []string{"=>~)-", "=>", "=>>-", ">~)", "=(>-~"}[r.IntN(5)]
	var b strings.Builder
	for range tokens {
		put, id := putName(r.IntN(puts)), fmt.Sprintf("i%d", r.IntN(puts))
		n, when, until, nonce := 1+r.IntN(3), r.IntN(9), r.IntN(9), nonceName(r.IntN(2))
		switch sign := signs[r.IntN(len(signs))]; sign {
		case signPut:
			fmt.Fprintf(&b, "t=%d:%s:%s ", when, put, id)
		case signState:
			fmt.Fprintf(&b, "t(%d.%d.%d.%s:%s:%s ", when, n, until, nonce, put, id)
		case signTake:
			fmt.Fprintf(&b, "t>%s.%d.%d.%d.%s ", put, n, r.IntN(12), r.IntN(12), nonce)
		case signKeep, signRetry:
			fmt.Fprintf(&b, "t%c%s.%d.%d ", sign, put, n, until)
		case signEnd:
			b.WriteString([]string{"t-" + put, fmt.Sprintf("t-%s.%d", put, n), "t-:" + id}[r.IntN(3)] + " ")
		}
		if r.IntN(20) == 0 {
			b.WriteString([]string{"+a ", "h:x ", "t ", " \n", "l>m1 "}[r.IntN(5)])
		}
	}
	return b.String()
}

// The laws of [format.Fold], and that a log comes to the tasks that its tokens describe, in the order
// in which they can be taken.
func TestLawsOfFold(t *testing.T) {
	verbtest.Long(t)
	r := rand.New(rand.NewPCG(7, 8))
	for range 8_000 {
		puts := 1 + r.IntN(4)
		before, first, second := randomLog(r, r.IntN(6), puts), randomLog(r, r.IntN(10), puts), randomLog(r, r.IntN(10), puts)
		var q Queue
		read(t, &q, first)
		if got, want := q.text(t), (plain{}).apply(first).text(); !slices.Equal(got, want) {
			t.Fatalf("%q is read as %q, expected %q", first, got, want)
		}
		log := first + second
		if !q.Extend([]byte(log), 0) {
			t.Fatalf("%q was not extended by %q", first, second)
		}
		want := (plain{}).apply(log)
		if got := q.text(t); !slices.Equal(got, want.text()) {
			t.Fatalf("law 3: %q extended by %q is %q, expected %q", first, second, got, want.text())
		}
		if words := words(log); q.Dead() != words-len(want) {
			t.Fatalf("%q has %d dead tokens", log, q.Dead())
		}
		compact, net := string(q.AppendLog(nil, nil)), string(q.AppendNet(nil, nil))
		if size := q.LogSize(); size < len(compact) || size > len(compact)+40*q.Live() {
			t.Fatalf("%q has %d bytes, but counts as %d", compact, len(compact), size)
		}
		var other Queue
		if read(t, &other, compact); !slices.Equal(other.text(t), want.text()) || other.Dead() != 0 {
			t.Fatalf("law 1: the log of %q is %q, which is %q with %d dead tokens, expected %q", log, compact, other.text(t), other.Dead(), want.text())
		}
		got, whole := (plain{}).apply(before+net), (plain{}).apply(before+log)
		if !slices.Equal(got.text(), whole.text()) {
			t.Fatalf("law 2: %q has the net %q; after %q that makes %q, expected %q", log, net, before, got.text(), whole.text())
		}
		if len(net) > len(log)+1 {
			t.Fatalf("law 2: %q has the longer net %q", log, net)
		}
	}
}

func TestNet(t *testing.T) {
	a, b, x := putName(0), putName(1), nonceName(0)
	for _, test := range []struct{ log, log1, net string }{
		{"t=5:" + a + ":i ", "t=5:" + a + ":i ", "t=5:" + a + ":i "},
		{"t=5:" + a + ":i t=6:" + b + ":i ", "t=6:" + b + ":i ", "t-" + a + " t=6:" + b + ":i "},
		{"t=5:" + a + ":i t>" + a + ".1.5.9." + x + " ", "t(5.1.9." + x + ":" + a + ":i ", "t(5.1.9." + x + ":" + a + ":i "},
		{"t=5:" + a + ":i t>" + a + ".1.4.9." + x + " ", "t=5:" + a + ":i ", "t=5:" + a + ":i "},
		{"t=5:" + a + ":i t>" + a + ".1.5.9." + x + " t>" + a + ".2.8.20." + x + " ", "t(5.1.9." + x + ":" + a + ":i ", "t(5.1.9." + x + ":" + a + ":i "},
		{"t=5:" + a + ":i t>" + a + ".1.5.9." + x + " t)" + a + ".1.7 ", "t(7.1.0." + x + ":" + a + ":i ", "t(7.1.0." + x + ":" + a + ":i "},
		{"t=5:" + a + ":i t>" + a + ".1.5.9." + x + " t-" + a + ".1 ", "", "t-:i t-" + a + " "},
		{"t>" + a + ".1.5.9." + x + " t~" + a + ".1.7 ", "", "t>" + a + ".1.5.9." + x + " t~" + a + ".1.7 "},
		{"t>" + a + ".1.5.9." + x + " t-" + a + " ", "", "t-" + a + " "},
		{"t-:i t=5:" + a + ":i ", "t=5:" + a + ":i ", "t=5:" + a + ":i "},
		{"t=5:" + a + ":i\u00a0t-" + a + " ", "t=5:" + a + ":i\u00a0t-" + a + " ", "t=5:" + a + ":i\u00a0t-" + a + " "},
		{"+x t h:y ", "", ""},
	} {
		var q Queue
		read(t, &q, test.log)
		if got := string(q.AppendLog(nil, nil)); got != test.log1 {
			t.Errorf("%q comes to %q, expected %q", test.log, got, test.log1)
		}
		if got := string(q.AppendNet(nil, nil)); got != test.net {
			t.Errorf("the net of %q is %q, expected %q", test.log, got, test.net)
		}
	}
}

// Tasks with the same time keep their order when a log is folded.
func TestOrderOfTheSameTime(t *testing.T) {
	var log, want string
	for n := range 20 {
		log += fmt.Sprintf("t=%d:%s:i%d ", n%3, putName(n), n)
	}
	for time := range 3 {
		for n := time; n < 20; n += 3 {
			want += fmt.Sprintf("i%d ", n)
		}
	}
	for range 3 {
		var q Queue
		read(t, &q, log)
		got := ""
		for of := range q.inOrder(nil) {
			got += string(q.id(of)) + " "
		}
		if got != want {
			t.Fatalf("%q are in the order %q, expected %q", log, got, want)
		}
		log = string(q.AppendLog(nil, nil))
	}
}

func TestNoQueue(t *testing.T) {
	a, x := putName(0), nonceName(0)
	for _, log := range []string{
		"x", "a b", "@x", "\x00", "t=", "t=5", "t=5:", "t=5:" + a, "t=5:" + a + ":", "t=:" + a + ":i", "t=-1:" + a + ":i", "t=5:short:i", "t=9007199254740993:" + a + ":i",
		"t=5:put.A.----------:i", "t=5:put\x01A-----------:i", "t(5.0.0." + x + ":" + a + ":i", "t(5.1.0:" + a + ":i", "t(5.1.0.x:" + a + ":i", "t(5.4294967296.0." + x + ":" + a + ":i",
		"t>" + a, "t>" + a + ".1", "t>" + a + ".1.1.1", "t>" + a + ".1.1.1." + x + "y", "t>" + a + ".0.1.1." + x, "t>" + a + ".1.x.1." + x,
		"t~" + a, "t~" + a + ".1", "t~" + a + ".0.5", "t~" + a + ".1.5.5", "t)" + a + ".1.-1", "t-", "t-:", "t-" + a + ".", "t-" + a + ".0", "t-" + a + "x", "t?" + a, "tt", "t=5:" + a + ":i x",
	} {
		var q Queue
		if q.Read(nil, []byte(log), 0) {
			t.Errorf("%q was read as %q", log, q.text(t))
		} else if q.Live() != 0 || len(q.log) != 0 {
			t.Errorf("%q leaves %q", log, q.log)
		}
	}
}

func FuzzQueue(f *testing.F) {
	a, b, x := putName(0), putName(1), nonceName(0)
	f.Add([]byte("t=5:"+a+":i t>"+a+".1.5.9."+x+" "), []byte("t~"+a+".1.7 t-"+a+".1"))
	f.Add([]byte("t=5:"+a+":i t=6:"+b+":i t(7.2.9."+x+":"+a+":j "), []byte("t-:i t-"+b+" +a"))
	f.Add([]byte("t \n t)"+a+".1.5"), []byte("h:x t=1:t=1:a t"))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var q, whole Queue
		log := append(append(slices.Clone(first), ' '), second...)
		if !q.Read(nil, append(slices.Clone(first), ' '), 0) {
			return
		}
		extended, ok := q.Extend(log, 0), whole.Read(nil, log, 0)
		if extended != ok || !slices.Equal(q.text(t), whole.text(t)) {
			t.Fatalf("%q extended by %q is %q; as a whole it is %q", first, second, q.text(t), whole.text(t))
		}
		if !ok {
			return
		}
		var other Queue
		if compact := whole.AppendLog(nil, nil); !other.Read(nil, compact, 0) || !slices.Equal(other.text(t), whole.text(t)) {
			t.Fatalf("%q comes to %q, which is %q", log, compact, other.text(t))
		}
		if net := whole.AppendNet(nil, nil); !other.Read(nil, net, 0) || !slices.Equal(other.text(t), whole.text(t)) {
			t.Fatalf("%q has the net %q, which is %q", log, net, other.text(t))
		}
	})
}
