package sets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// lastingLog returns a log of so many tokens about few members, some of which are added until a time
// about when the tests run.
func lastingLog(r *rand.Rand, tokens, members int) string {
	signs := []string{"~", "+~", "+-~~", "~-"}[r.IntN(4)]
	var b strings.Builder
	for range tokens {
		switch sign := signs[r.IntN(len(signs))]; sign {
		case signUntil:
			fmt.Fprintf(&b, "~%d:m%d ", begun/1000-15+r.IntN(35), r.IntN(members))
		default:
			fmt.Fprintf(&b, "%cm%d ", sign, r.IntN(members))
		}
		if r.IntN(20) == 0 {
			b.WriteString([]string{"l>m1 ", "h:x ", " \n", "z~1@5:m1 "}[r.IntN(4)])
		}
	}
	return b.String()
}

func readAt(t testing.TB, s *Set, log string, now int64) {
	t.Helper()
	if !s.Read(nil, []byte(log), now) {
		t.Fatalf("%.300q is not read", log)
	}
}

// sound checks that s is the set p at a time, and that all its counts are right.
func (s *Set) sound(t testing.TB, p plain, now int64) {
	t.Helper()
	want := p.at(now)
	if got := strings.Fields(string(s.AppendMembers(nil, nil))); !slices.Equal(got, want) || s.Live() != len(want) || s.Length() != len(strings.Join(want, " ")) {
		t.Fatalf("%q at %d is %q, %d members of %d bytes, expected %q", s.log, now, got, s.Live(), s.Length(), want)
	}
	for _, is := range p {
		if s.Has([]byte(is.name)) != is.isThere(now) {
			t.Fatalf("%q at %d has %s: %v", s.log, now, is.name, s.Has([]byte(is.name)))
		}
	}
	log := string(s.AppendLog(nil, nil))
	if s.LogSize() < len(log) {
		t.Fatalf("%q at %d has the log %q of %d bytes, which counts as %d", s.log, now, log, len(log), s.LogSize())
	}
	if got, want := s.Dead(), len(s.tokens)+s.foreign-len(strings.Fields(log)); got != want {
		t.Fatalf("%q at %d has %d dead tokens, expected %d, and the log %q", s.log, now, got, want, log)
	}
}

// The laws of [format.Fold], and that a set has the members that its log describes, at any time.
func TestLawsOfLasting(t *testing.T) {
	verbtest.Long(t)
	r := rand.New(rand.NewPCG(7, 8))
	for range 15_000 {
		members := 1 + r.IntN(4)
		before, first, second := lastingLog(r, r.IntN(6), members), lastingLog(r, r.IntN(10), members), lastingLog(r, r.IntN(10), members)
		now := begun + r.Int64N(10_000)
		later := now + r.Int64N(2)*r.Int64N(20_000)
		var s Set
		readAt(t, &s, first, now)
		s.sound(t, plain{}.apply(first), now)
		if !s.Extend([]byte(first+second), later) {
			readAt(t, &s, first+second, later) // its table was too small
		}
		all := plain{}.apply(first + second)
		s.sound(t, all, later)
		followLog(t, &s, all, later, r)
		readAt(t, &s, first+second, later)
		s.sound(t, all, later)
		followNet(t, &s, before, later, r)
	}
}

// followLog checks that the log of s comes to the same from then on.
func followLog(t *testing.T, s *Set, want plain, now int64, r *rand.Rand) {
	t.Helper()
	log := string(s.AppendLog(nil, nil))
	var other Set
	for round := range 3 {
		readAt(t, &other, log, now)
		if got := strings.Fields(string(other.AppendMembers(nil, nil))); !slices.Equal(got, want.at(now)) {
			t.Fatalf("law 1: the log of %q is %q, which is %q at %d, expected %q", s.log, log, got, now, want.at(now))
		}
		if round == 0 && other.Dead() != 0 {
			t.Fatalf("law 1: %d tokens of %q are dead", other.Dead(), log)
		}
		now += r.Int64N(10_000)
	}
}

// followNet checks that the net of s has the effect of its log after another log, from then on.
func followNet(t *testing.T, s *Set, before string, now int64, r *rand.Rand) {
	t.Helper()
	net := string(s.AppendNet(nil, nil))
	if len(net) > len(s.log)+1 {
		t.Fatalf("law 2: %q has the longer net %q", s.log, net)
	}
	got, want := plain{}.apply(before+net), plain{}.apply(before+string(s.log))
	for range 3 {
		if !slices.Equal(got.at(now), want.at(now)) {
			t.Fatalf("law 2: %q has the net %q; after %q that makes %q at %d, expected %q", s.log, net, before, got.at(now), now, want.at(now))
		}
		now += r.Int64N(10_000)
	}
}

// What has expired stays in the log for a while, as other clocks may be behind; what was added again
// comes last.
func TestNetOfLasting(t *testing.T) {
	for _, test := range []struct{ log, log1, net string }{
		{"~1700000009:a ", "~1700000009:a ", "~1700000009:a "},
		{"~1699999991:a ", "~1699999991:a ", "~1699999991:a "},
		{"~1699999990:a ", "", "-a "},
		{"+a ~1700000009:a ", "~1700000009:a ", "~1700000009:a "},
		{"~1700000009:a +b +a ", "+b +a ", "-a +b +a "},
		{"~1700000009:a -a ", "", "-a "},
		{"~1700000009:a ~1700000008:a ", "~1700000008:a ", "~1700000008:a "},
		{"~1700000009:a ~1699999990:a ", "", "-a "},
		{"-a ~1700000009:a ", "~1700000009:a ", "-a ~1700000009:a "},
		{"~1700000009:a -a +a +a", "+a ", "-a +a "},
		{"~0001700000009:+a +:a -:b ", "~0001700000009:+a +:a ", "-:b ~0001700000009:+a +:a "},
		{"~1700000009:~1:a l~x ", "~1700000009:~1:a ", "~1700000009:~1:a "},
	} {
		var s Set
		readAt(t, &s, test.log, begun)
		if got := string(s.AppendLog(nil, nil)); got != test.log1 {
			t.Errorf("%q comes to %q, expected %q", test.log, got, test.log1)
		}
		if got := string(s.AppendNet(nil, nil)); got != test.net {
			t.Errorf("the net of %q is %q, expected %q", test.log, got, test.net)
		}
	}
}

func TestNoUntil(t *testing.T) {
	for _, log := range []string{
		"~", "~1", "~1:", "~:a", "~x:a", "~-1:a", "~1x:a", "~+1:a", "~1.5:a", "~1099511627777:a", "~00000000000001:a", "~99999999999999999999:a",
		"~1699999999:", "~ 1:a", "+a ~1", "~1:a ~", "~1;2:a", "~1@2:a",
	} {
		var s Set
		if s.Read(nil, []byte(log), begun) {
			t.Errorf("%q is read as %q", log, s.AppendMembers(nil, nil))
		} else if s.Live() != 0 || len(s.AppendLog(nil, nil)) != 0 || s.untils.tokens != 0 {
			t.Errorf("%q leaves %q", log, s.AppendLog(nil, nil))
		}
	}
}

// Members expire at their time, however the log is read: as a whole, extended, or by nothing.
func TestMembersExpire(t *testing.T) {
	log := "+a ~1700000002:b ~1700000004:c ~1700000002:a ~1700000006:d -d ~1700000006:e ~1700000004:e "
	var view Set
	readAt(t, &view, log, begun)
	for now := int64(begun); now < begun+20_000; now += 500 {
		until := view.Until()
		if !view.Extend([]byte(log), now) {
			t.Fatalf("at %d it was not extended", now)
		}
		view.sound(t, plain{}.apply(log), now)
		var whole Set
		readAt(t, &whole, log, now)
		if whole.Dead() != view.Dead() || whole.Until() != view.Until() {
			t.Fatalf("at %d: %d and %d dead tokens, and it changes at %d or %d", now, whole.Dead(), view.Dead(), whole.Until(), view.Until())
		}
		if now >= until && view.Until() == until {
			t.Fatalf("at %d it is to change at %d", now, until)
		}
	}
	if view.Live() != 0 || view.Dead() != len(view.tokens) {
		t.Errorf("%d members, %d of %d tokens are dead", view.Live(), view.Dead(), len(view.tokens))
	}
}

// If the clock is put back before something has expired, the log has to be folded again.
func TestClockPutBack(t *testing.T) {
	log := []byte("~1700000002:a ")
	for _, test := range []struct {
		now int64
		ok  bool
	}{{begun + 4000, true}, {begun + 2000, true}, {begun + 1999, false}} {
		var s Set
		readAt(t, &s, string(log), begun)
		if !s.Extend(log, begun+5000) || s.Live() != 0 || s.Extend(log, test.now) != test.ok {
			t.Errorf("at %d: %d members", test.now, s.Live())
		}
	}
}

// A set with more times than are counted by themselves is right all the same: its log is folded again
// from time to time.
func TestMoreTimesThanAreCounted(t *testing.T) {
	const times = 3 * mostTimes
	log := ""
	for i := range times {
		log += fmt.Sprintf("~%d:m%d ", begun/1000+int64(i*7919%times), i)
	}
	all := plain{}.apply(log)
	var view Set
	readAt(t, &view, log, begun)
	again := 0
	for now := int64(begun); now < begun+1000*(times+20); now += 17_000 {
		if !view.Extend([]byte(log), now) {
			readAt(t, &view, log, now)
			again++
		}
		view.sound(t, all, now)
		if view.Kept() > 1<<20 {
			t.Fatalf("it takes %d bytes", view.Kept())
		}
	}
	if again == 0 || again > 2*times/mostTimes+2 {
		t.Errorf("it was folded again %d times", again)
	}
}

// Dropping and picking members, and the lists of them, leave out what has expired.
func TestExpiredIsLeftOut(t *testing.T) {
	log := "~1700000000:x ~1699999990:y +a ~1700000009:b "
	var s Set
	readAt(t, &s, log, begun)
	for range 20 {
		picked := s.sample(nil, 3, rand.IntN)
		if len(picked) != 2 {
			t.Fatalf("%d members were picked", len(picked))
		}
	}
	at, member := s.Next(0)
	if string(member) != "a" {
		t.Fatalf("%q is the first", member)
	}
	at, member = s.Next(at + 1)
	if string(member) != "b" {
		t.Fatalf("%q is the second", member)
	}
	s.log = []byte(log)
	if s.Drop(at); s.Live() != 1 || string(s.AppendNet(nil, nil)) != "-y -b ~1700000000:x +a " {
		t.Errorf("%d members, and the net %q", s.Live(), s.AppendNet(nil, nil))
	}
	if got := string(s.appendAdditions(nil, nil)) + string(s.appendRemovals(nil, nil)); got != "+a -a " {
		t.Errorf("additions and removals: %q", got)
	}
}

func TestLastingMemory(t *testing.T) {
	var s Set
	log := []byte(strings.Repeat("~1700000100:a ~1700000200:b -c ", 300))
	s.Read(nil, log, begun)
	if n := testing.AllocsPerRun(100, func() { s.Read(nil, log, begun) }); n > 0 {
		t.Errorf("%v allocations to read a log again", n)
	}
	w := newWorld(t)
	w.Expect("saddp k a b 60", "STORED")
	if size := len(w.Value("k")); size > lastingTokensSize([]byte("a b 60"), nil) {
		t.Errorf("%d bytes were appended", size)
	}
	if most := lastingTokensSize([]byte("a 1"), nil); most < len("~1099511627776:a ") {
		t.Errorf("a token is taken to have %d bytes at most", most)
	}
}

func FuzzLasting(f *testing.F) {
	f.Add([]byte("~1700000005:a +b -a "), []byte("~1699999999:b +a "))
	f.Add([]byte("~1:a\n~2:a +:a"), []byte("~1700000001:~1700000001:a h:x"))
	f.Add([]byte(""), []byte("~1699999990:a ~1699999991:a -a"))
	f.Add([]byte("~0000000000001:a ~1099511627776:b"), []byte("+b ~"))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var s, whole Set
		log := append(append(slices.Clone(first), ' '), second...)
		if !s.Read(nil, append(slices.Clone(first), ' '), begun) {
			return
		}
		if s.Since() > begun {
			t.Fatalf("%q is of a later time", first)
		}
		read := whole.Read(nil, log, begun)
		if s.Extend(log, begun) && (!read || string(s.AppendLog(nil, nil)) != string(whole.AppendLog(nil, nil)) || s.Live() != whole.Live()) {
			t.Fatalf("%q extended by %q is %q; as a whole it is %q", first, second, s.AppendLog(nil, nil), whole.AppendLog(nil, nil))
		}
		if !read {
			return
		}
		members, short := whole.AppendMembers(nil, nil), whole.AppendLog(nil, nil)
		for _, other := range [][]byte{short, whole.AppendNet(nil, nil)} {
			if !s.Read(nil, other, begun) || string(s.AppendMembers(nil, nil)) != string(members) || len(other) > len(log)+1 {
				t.Fatalf("%q comes to %q, which is %q, expected %q", log, other, s.AppendMembers(nil, nil), members)
			}
		}
		whole.Extend(log, begun+100_000)
		for _, is := range []int{whole.Live(), whole.Dead(), whole.untils.waning.members, whole.LogSize()} {
			if is < 0 {
				t.Fatalf("%q: %d members, %d dead, %+v", log, whole.Live(), whole.Dead(), whole.untils)
			}
		}
	})
}

// A list, or another structure, to which members were added by mistake is not spoiled.
func TestLastingIsForeignElsewhere(t *testing.T) {
	if !format.Foreign([]byte("~1700000009:a"), 'l') || format.Foreign([]byte("~1700000009:a"), 0) {
		t.Error("a token of a set is taken for one of a list, or is none of a set")
	}
	onBoth(t, func(t *testing.T, w *verbtest.World) {
		w.Put("k", "y+a y+b ", 0, 0)
		w.Expect("saddp k a 60", "STORED")
		w.Expect("scard k", "CLIENT_ERROR k does not hold a set")
		if got := w.Value("k"); !strings.HasPrefix(got, "y+a y+b ~") {
			t.Errorf("it is %q", got)
		}
	})
}
