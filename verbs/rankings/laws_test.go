package rankings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// begun is when the tests begin, in milliseconds since 1970.
const begun = 1_700_000_000_000

// randomLog returns a log of so many tokens about few members, with orders of few callers if
// orders is set.
func randomLog(r *rand.Rand, tokens, members int, orders bool) string {
	signs := []string{"=+~-", "+", "~", "+~", "~~~=", "=+~-()", "~()", "+(((", "+~()~~"}[r.IntN(9)]
	if orders {
		signs += ">><"
	}
	var b strings.Builder
	for range tokens {
		member := fmt.Sprintf("m%d", r.IntN(members))
		id := fmt.Sprintf("caller-%c--------.%d.%d.", 'a'+r.IntN(3), r.IntN(3), int64(begun))
		b.WriteByte(letter)
		switch sign := signs[r.IntN(len(signs))]; sign {
		case signRemove:
			b.WriteString("-" + member + " ")
		case signExpire:
			b.WriteString("~" + randomIncrement(r))
			for range r.IntN(3) {
				b.WriteString(";" + randomIncrement(r))
			}
			b.WriteString(":" + member + " ")
		case signOrder:
			amount := fmt.Sprint(randomNumber(r))
			if r.IntN(2) == 0 {
				amount = randomIncrement(r)
			}
			b.WriteString(">" + id + amount + ":" + member + " ")
		case signTold:
			b.WriteString("<" + id + fmt.Sprint(r.IntN(9)) + []string{" ", ";-7 "}[r.IntN(2)])
		default:
			fmt.Fprintf(&b, "%c%d:%s ", sign, randomNumber(r), member)
		}
		if r.IntN(20) == 0 {
			b.WriteString([]string{"+a ", "h:x ", "z ", " \n", "l>m1 "}[r.IntN(5)])
		}
	}
	return b.String()
}

func randomNumber(r *rand.Rand) int64 {
	if r.IntN(10) == 0 {
		return []int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 3}[r.IntN(3)]
	}
	return int64(r.IntN(9) - 3)
}

// randomIncrement returns an increment that expires about when the tests run.
func randomIncrement(r *rand.Rand) string {
	return fmt.Sprintf("%d@%d", randomNumber(r), begun/1000-15+r.IntN(35))
}

// The laws of [format.Fold], and that a log comes to the scores that its tokens describe,
// at any time.
func TestLawsOfFold(t *testing.T) {
	verbtest.Long(t)
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 15_000 {
		members, orders := 1+r.IntN(4), round%3 == 0
		before, first, second := randomLog(r, r.IntN(6), members, orders), randomLog(r, r.IntN(10), members, orders), randomLog(r, r.IntN(10), members, orders)
		now := begun + r.Int64N(10_000)
		later := now + r.Int64N(2)*r.Int64N(20_000)
		var l Ranking
		read(t, &l, first, now)
		l.sound(t)
		if got, want := l.all(), (plain{}).apply(first, now).at(now); !slices.Equal(got, want) {
			t.Fatalf("%q at %d is read as %q, expected %q", first, now, got, want)
		}
		if !l.Extend([]byte(first+second), later) {
			t.Fatalf("%q was not extended by %q", first, second)
		}
		l.sound(t)
		want := plain{}.apply(first, now).apply(second, later)
		if got := l.all(); !slices.Equal(got, want.at(later)) || !slices.Equal(l.answers(), want.told) {
			t.Fatalf("law 3: %q extended by %q at %d is %q, %q, expected %q, %q", first, second, later, got, l.answers(), want.at(later), want.told)
		}
		log := string(l.AppendLog(nil, nil))
		if size := l.LogSize(); size < len(log) {
			t.Fatalf("the log %q of %d bytes counts as %d", log, len(log), size)
		}
		followLog(t, &l, log, want, later, r)
		if l.Dead() != l.tokens-len(strings.Fields(log)) {
			t.Fatalf("%q at %d has %d dead tokens, and its log is %q", first+second, later, l.Dead(), log)
		}
		read(t, &l, first+second, later)
		followNet(t, &l, before, first+second, later, r)
	}
}

// followLog checks that the log of l comes to the same from then on.
func followLog(t *testing.T, l *Ranking, log string, want plain, now int64, r *rand.Rand) {
	t.Helper()
	var other Ranking
	for range 3 {
		read(t, &other, log, now)
		if got := other.all(); !slices.Equal(got, want.at(now)) || !slices.Equal(other.answers(), want.told) {
			t.Fatalf("law 1: the log of %q is %q, which is %q, %q at %d, expected %q, %q", l.log, log, got, other.answers(), now, want.at(now), want.told)
		}
		if other.now == l.now && other.Dead() != 0 {
			t.Fatalf("law 1: %d tokens of %q are dead", other.Dead(), log)
		}
		now += r.Int64N(10_000)
	}
}

// followNet checks that the net of l, which has read log, has the effect of that after another
// log, from then on.
func followNet(t *testing.T, l *Ranking, before, log string, now int64, r *rand.Rand) {
	t.Helper()
	net := string(l.AppendNet(nil, nil))
	got, want := plain{}.apply(before+net, now), plain{}.apply(before+log, now)
	for range 3 {
		if !slices.Equal(got.at(now), want.at(now)) || !slices.Equal(got.told, want.told) {
			t.Fatalf("law 2: %q has the net %q; after %q that makes %q, %q at %d, expected %q, %q", log, net, before, got.at(now), got.told, now, want.at(now), want.told)
		}
		now += r.Int64N(10_000)
	}
	if len(net) > len(log) {
		t.Fatalf("law 2: %q has the longer net %q", log, net)
	}
}

// What an increment comes to is known a while after it has expired, as other clocks may be
// behind.
func TestNet(t *testing.T) {
	const id = "caller-a--------.1.1700000000000"
	for _, test := range []struct{ log, log1, net string }{
		{"z=3:a z+4:a ", "z=7:a ", "z=7:a "},
		{"z+3:a z+4:a z+1:b ", "z=7:a z=1:b ", "z+7:a z+1:b "},
		{"z+3:a z-a ", "", "z-a "},
		{"z-a z+3:a ", "z=3:a ", "z=3:a "},
		{"z~3@1700000009:a z~4@1700000009:a ", "z~7@1700000009:a ", "z~7@1700000009:a "},
		{"z~3@1700000009:a z~4@1700000008;1@1700000009:a ", "z~4@1700000008;4@1700000009:a ", "z~4@1700000008;4@1700000009:a "},
		{"z+1:a z~3@1700000009:a ", "z=1:a z~3@1700000009:a ", "z+1:a z~3@1700000009:a "},
		{"z~3@1700000009:a z-a ", "", "z-a "},
		{"z~3@1700000009:a z=0:a ", "z=0:a ", "z=0:a "},
		{"z~3@1699999990:a ", "", ""},
		{"z~3@1699999991:a ", "z~3@1699999991:a ", "z~3@1699999991:a "},
		{"z-a z~3@1700000009:a ", "z~3@1700000009:a ", "z-a z~3@1700000009:a "},
		{"z=9223372036854775807:a z+1:a ", "z=-9223372036854775808:a ", "z=-9223372036854775808:a "},
		{"z+1:a z>" + id + ".2:a z+3:a z+1:b z+1:b ", "z<" + id + ".3 z=6:a z=2:b ", "z+1:a z>" + id + ".2:a z+3:a z+2:b "},
		{"z>" + id + ".2:a z>" + id + ".2@1700000009:b ", "z<" + id + ".2;2 z=2:a z~2@1700000009:b ", "z>" + id + ".2:a z>" + id + ".2@1700000009:b "},
		{"+x z h:y ", "", ""},
		{"z=5:a z(12:a z)9:a ", "z=9:a ", "z=9:a "},
		{"z(12:a z(7:a z)20:a z)15:a ", "z=12:a ", "z(12:a z)15:a "},
		{"z+5:a z(12:a z+1:a ", "z=13:a ", "z+5:a z(12:a z+1:a "},
		{"z(7:a z-a z+1:a ", "z=1:a ", "z=1:a "},
		{"z=5:a z~10@1700000009:a z(12:a ", "z=5:a z~10@1700000009:a z(12:a ", "z=5:a z~10@1700000009:a z(12:a "},
		{"z=5:a z~10@1700000009;1@1700000008:a z(12:a z(13:a z+1:a z+1:a z~1@1700000009:a ",
			"z=5:a z~10@1700000009;1@1700000008:a z(13:a z+2:a z~1@1700000009:a ", "z=5:a z~10@1700000009;1@1700000008:a z(13:a z+2:a z~1@1700000009:a "},
		{"z-a z~10@1700000009:a z)3:a ", "z~10@1700000009:a z)3:a ", "z-a z~10@1700000009:a z)3:a "},
		{"z~10@1700000009:a z)3:a z(4:a ", "z~10@1700000009:a z)3:a z(4:a ", "z~10@1700000009:a z)3:a z(4:a "},
		{"z(9:a z>" + id + ".2:a z(20:a z(30:a ", "z<" + id + ".11 z=30:a ", "z(9:a z>" + id + ".2:a z(30:a "},
	} {
		var r Ranking
		read(t, &r, test.log, begun)
		if got := string(r.AppendLog(nil, nil)); got != test.log1 {
			t.Errorf("%q comes to %q, expected %q", test.log, got, test.log1)
		}
		if got := string(r.AppendNet(nil, nil)); got != test.net {
			t.Errorf("the net of %q is %q, expected %q", test.log, got, test.net)
		}
	}
}

// What an order has come to is forgotten when its caller gives another, when it has expired,
// and when too many others have given some.
func TestOrdersAreForgotten(t *testing.T) {
	const a, b = "caller-a--------", "caller-b--------"
	for _, test := range []struct {
		log, want string
		now       int64
	}{
		{"z>" + a + ".1.7.1:x", "z<" + a + ".1.7.1 z=1:x ", 8},
		{"z>" + a + ".1.7.1:x z>" + b + ".1.7.5:x", "z<" + a + ".1.7.1 z<" + b + ".1.7.6 z=6:x ", 8},
		{"z>" + a + ".1.7.1:x z>" + a + ".1.7.1:x", "z<" + a + ".1.7.1;2 z=2:x ", 8},
		{"z>" + a + ".1.7.1:x z>" + a + ".2.7.1:x", "z<" + a + ".2.7.2 z=2:x ", 8},
		{"z>" + a + ".1.7.1:x", "z=1:x ", 8 + format.OrderLasts},
		{"z>" + a + ".1.99999.1:x", "z=1:x ", 8},
	} {
		var r Ranking
		read(t, &r, test.log, test.now)
		if got := string(r.AppendLog(nil, nil)); got != test.want {
			t.Errorf("%q comes to %q, expected %q", test.log, got, test.want)
		}
	}
	var log []byte
	for i := range format.MostCallers + 1 {
		log = fmt.Appendf(log, "z>%016d.1.7.1:x ", i)
	}
	var r Ranking
	if read(t, &r, string(log), 8); len(r.told) != format.MostCallers || r.told[0].ID.Caller[15] != '1' {
		t.Errorf("%d orders are remembered, from %s on", len(r.told), r.told[0].ID.Caller)
	}
	read(t, &r, string(log), 8+format.OrderLasts)
	if net := string(r.AppendNet(nil, nil)); net != "z+257:x " {
		t.Errorf("the net of orders that have expired is %q", net)
	}
}

func TestNoRanking(t *testing.T) {
	const id = "caller-a--------.1.7"
	for _, log := range []string{
		"x", "a b", "@x", "\x00", "z=", "z=:a", "z=1", "z=1:", "z=a:a", "z=1.5:a", "z+9223372036854775808:a", "z=-9223372036854775809:a", "z+ 1:a",
		"z-", "z(", "z)1", "z(:a", "z)x:a", "z(1@1:a", "z(9223372036854775808:a", "z~:a", "z~1:a", "z~1@:a", "z~1@x:a", "z~1@-1:a", "z~1@1099511627777:a", "z~1@1;:", "z~1@1;2:a", "z~;1@1:a", "z?1:a", "z:1:a", "zz", "z=1:a x",
		"z>x", "z>" + id, "z>" + id + ".", "z>" + id + ".1", "z>" + id + ".1:", "z>" + id + ".x:a", "z>" + id + ".1@:a", "z>" + id + ".1@1;2@2:a", "z>" + id + ":1:a",
		"z<" + id, "z<" + id + ".", "z<" + id + ".1;", "z<" + id + ".x", "z<x", "z<" + id + "x1",
	} {
		var r Ranking
		if r.Read(nil, []byte(log), begun) {
			t.Errorf("%q was read as %q", log, r.all())
		} else if r.Live() != 0 || len(r.log) != 0 {
			t.Errorf("%q leaves %q", log, r.log)
		}
	}
}

func FuzzRanking(f *testing.F) {
	f.Add([]byte("z=1:a z+2:b z-a "), []byte("z~5@1700000005;1@1699999999:b "))
	f.Add([]byte("z \n z+1:\x01 +a"), []byte("h:x z=1:z=1:a z"))
	f.Add([]byte("z>caller-a--------.1.1700000000000.5:a"), []byte("z<caller-b--------.1.1700000000000.5;6"))
	f.Add([]byte("z>caller-a--------.1.170007000000000000.5:5"), []byte("z>caller-a--------.1.170007000000000000.5:7"))
	f.Add([]byte("z=5:a z~10@1700000001:a z(12:a z+1:a "), []byte("z)3:a z~1@1700000001:a z(4:a"))
	f.Add([]byte(""), []byte("z~1@1700000001;2@1700000001:a z+9223372036854775807:a"))
	f.Add([]byte("z"), []byte("z~1@17000005001;2@1700000001:a z+922\xff372036854775807:a")) // the last token is none
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var r, whole Ranking
		log := append(append(slices.Clone(first), ' '), second...)
		if !r.Read(nil, append(slices.Clone(first), ' '), begun) || r.Since() > begun { // of a later time, so it is not extended
			return
		}
		extended, ok := r.Extend(log, begun), whole.Read(nil, log, begun)
		if extended != ok || !slices.Equal(r.all(), whole.all()) || !slices.Equal(r.answers(), whole.answers()) {
			t.Fatalf("%q extended by %q is %q, %q; as a whole it is %q, %q", first, second, r.all(), r.answers(), whole.all(), whole.answers())
		}
		if !ok {
			return
		}
		whole.sound(t)
		var other Ranking
		if compact := whole.AppendLog(nil, nil); !other.Read(nil, compact, begun) || !slices.Equal(other.all(), whole.all()) {
			t.Fatalf("%q comes to %q, which is %q", log, compact, other.all())
		}
		if net := whole.AppendNet(nil, nil); !other.Read(nil, net, begun) || !slices.Equal(other.all(), whole.all()) {
			t.Fatalf("%q has the net %q, which is %q", log, net, other.all())
		}
	})
}
