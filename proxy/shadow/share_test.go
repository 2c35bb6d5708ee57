package shadow

import (
	"fmt"
	"math"
	"testing"

	"github.com/memverbs/memverbs/sharding"
)

// A share is read as it is shown, and everything else is refused.
func TestParseShare(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Share{"5%": 5000, "100%": All, "0.001%": 1, "12.5%": 12500, "0.25%": 250, "99.999%": 99999} {
		if s, err := ParseShare(text); s != want || err != nil || s.String() != text {
			t.Errorf("%s is read as %d, %v, and shown as %v", text, s, err, s)
		}
	}
	for _, text := range []string{"", "%", "5", "0%", "0.0001%", "101%", "100.001%", "-5%", "+5%", "5 %", "5.%", ".5%", "1e1%", "5%%", "99999999999999999999%", "4294972296%", "half"} {
		if s, err := ParseShare(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

// keys returns different keys of the kinds that applications have.
func keys(n int) (list [][]byte) {
	for i := range n {
		list = append(list, fmt.Appendf(nil, [...]string{"user:%d", "page/%08d/en", "%x", "session.%d.data"}[i%4], i))
	}
	return list
}

// As many keys are in a share as it says, whatever the keys are and whichever server they are on, and all of them are in a larger
// share.
func TestShareHas(t *testing.T) {
	t.Parallel()
	const servers = 4
	list := keys(60_000)
	var at []sharding.Server
	for i := range servers {
		at = append(at, sharding.Server{Host: fmt.Sprintf("10.0.0.%d", i+1), Port: 11211, Weight: 1})
	}
	for _, name := range []string{"twemproxy:ketama:fnv1a_64", "twemproxy:modula:fnv1a_64", sharding.Default} {
		layout, err := sharding.ByName(name, at)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []Share{1000, 5000, 50_000} {
			var all, has [servers]float64
			for _, key := range list {
				owner := layout.Locate(key)
				all[owner]++
				if s.Has(key) {
					has[owner]++
					if !(s + 1).Has(key) || !All.Has(key) {
						t.Fatalf("%s is in %v only", key, s)
					}
				}
			}
			for i := range all {
				expected := all[i] * float64(s) / float64(All)
				if math.Abs(has[i]-expected) > 5*math.Sqrt(expected) {
					t.Errorf("%s, %v: %.0f of %.0f keys of server %d", name, s, has[i], all[i], i)
				}
			}
		}
	}
	if All.Has(nil) != true || Share(0).Has([]byte("k")) {
		t.Error("all keys are not all, or none are some")
	}
}

// The keys of a share are the same in all versions: proxies of several versions run side by side.
func TestShareStays(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]uint64{"": 0xefd01f60ba992926, "user:1": 0x4ce53ee4648cef41} {
		if got := hash([]byte(key)); got != want {
			t.Errorf("%q: %#x", key, got)
		}
	}
}

// Which pools have a key is known when both have answered.
func TestDifference(t *testing.T) {
	t.Parallel()
	for both, want := range map[Both]Difference{
		{Found(true), Found(true)}:   InBoth,
		{Found(true), Found(false)}:  OnlyMain,
		{Found(false), Found(true)}:  OnlyShadow,
		{Found(false), Found(false)}: InNeither,
		{Hit, Failed}:                Unknown,
		{Failed, Miss}:               Unknown,
		{Hit, Awaited}:               Unknown,
	} {
		if got := both.Difference(); got != want || both.Complete() != (both.Shadow != Awaited) {
			t.Errorf("%v: %v", both, got)
		}
	}
}
