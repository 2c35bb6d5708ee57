package config

import (
	"strings"
	"testing"
)

// Proxies that have copies of keys in different orders, or of which only one has copies, differ in the fingerprints of the pools. What keys these
// are does not matter.
func TestFingerprintOfCopies(t *testing.T) {
	fingerprints := func(routes ...Route) (texts [3]string) {
		s := &Setup{Config: Config{Listeners: []Listener{{}, {Routes: routes}}}}
		for i, name := range []string{"near", "far", "alone"} {
			texts[i] = s.Fingerprint(&SharedPool{Pool: Pool{Name: name, Agreement: "0a4437f130e0"}})
		}
		return texts
	}
	copies := func(prefix, names string) Route {
		return Route{Prefix: prefix, Copies: strings.Fields(names)}
	}
	none, one := fingerprints(Route{Pool: "near"}), fingerprints(copies("", "near far"))
	if none != [3]string{"0a4437f130e0", "0a4437f130e0", "0a4437f130e0"} {
		t.Errorf("without copies: %v", none)
	}
	if one[0] == none[0] || one[1] == none[1] || one[2] != none[2] || len(one[0]) != len(none[0]) {
		t.Errorf("with copies: %v", one)
	}
	if other := fingerprints(copies("", "far near")); other[0] == one[0] || other[1] == one[1] {
		t.Errorf("in another order: %v", other)
	}
	if same := fingerprints(copies("b", "near far"), copies("a", "near far"), Route{Prefix: "c", Pool: "alone"}); same != one {
		t.Errorf("of other keys: %v", same)
	}
	if more, again := fingerprints(copies("b", "near far"), copies("a", "far near")), fingerprints(copies("a", "near far"), copies("b", "far near")); more != again || more == one {
		t.Errorf("in both orders: %v and %v", more, again)
	}
}
