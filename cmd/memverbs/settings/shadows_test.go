package settings

import (
	"strings"
	"testing"
)

// Each mistake with a shadow is told with its place, and the summary tells what it means.
func TestShadowInAFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, b, route, wrong string }{
		{"", "", "{pool: a, shadow: b, share: 5%}", ""},
		{"near: {'x:': 1s}, hold-misses: {'y:': 1s}, on-down: 'spare:c'", "on-down: miss, on-return: keep, layout: jump", "{pool: a, share: 5%, shadow: b}", ""},
		{"read-only: true", "", "{pool: a, shadow: b, share: 5%}", ""},
		{"", "", "{pool: a, shadow: b}", `f:6:61: shadow: add "share:", the share of the keys that are sent to it, like 5% or 100%`},
		{"", "", "{pool: a, share: 5%}", `f:6:60: share: this route has no shadow: add "shadow:" with the name of the pool`},
		{"", "", "{shadow: b, share: 5%}", `this route has no pool: add "pool:"`},
		{"", "", "{pool: a, shadow: b, share: 5}", `f:6:71: share: "5" is no share of the keys: use a number from 0.001% to 100%, with at most 3 decimal places, like 5%`},
		{"", "", "{pool: a, shadow: b, share: 0%}", `"0%" is no share of the keys`},
		{"", "", "{pool: a, shadow: b, share: [5%]}", "a single value is expected here"},
		{"", "", "{pool: a, shadow: {pool: b}, share: 5%}", "a single value is expected here"},
		{"", "", "{pool: a, shadow: bb, share: 5%}", `f:6:61: there is no pool "bb"; is "b" meant?`},
		{"", "", "{pool: aa, shadow: b, share: 5%}", `f:6:50: there is no pool "aa"`},
		{"", "", "{copies: [a, b], shadow: c, share: 5%}", "shadow: a route with copies has no shadow"},
		{"", "", "{pool: a, shadow: a, share: 5%}", "shadow: pool a can't be its own shadow: incr would count twice"},
		{"", "", "{pool: a, shadow: d, share: 5%}", "shadow: pools a and d both have the server a:11211: it would carry out requests twice on the same items"},
		{"on-down: 'spare:b'", "", "{pool: a, shadow: b, share: 5%}", "shadow: pool b can't be the shadow of pool a, as it is its spare"},
		{"namespaces: ['user:']", "", "{pool: a, shadow: b, share: 5%}", "shadow: pool a can't have a shadow with namespaces"},
		{"", "namespaces: ['user:']", "{pool: a, shadow: b, share: 5%}", "shadow: pool b can't be a shadow with namespaces"},
		{"", "read-only: true", "{pool: a, shadow: b, share: 5%}", "shadow: pool b can't be a shadow with read-only: true"},
	} {
		text := "pools:\n  a: {servers: [a], " + test.a + "}\n  b: {servers: [b], " + test.b + "}\n" +
			"  c: {servers: [c], listen: [':3']}\n  d: {servers: [d, a], listen: [':4']}\nlisteners: [{listen: [':9'], routes: {'': " + test.route + "}}]\n"
		s, _, err := parseSettings(text)
		switch {
		case test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong)):
			t.Errorf("%s, %s, %s: %v", test.a, test.b, test.route, err)
		case test.wrong == "" && err != nil:
			t.Errorf("%s, %s, %s: %v", test.a, test.b, test.route, err)
		case test.wrong == "" && (!strings.Contains(s.Summary(), "shadow of all keys: requests on 5% of the keys, but no verbs, are sent to b too") ||
			!strings.Contains(s.Summary(), ": all keys to a, with 5% of them to the shadow b\n")):
			t.Errorf("%s", s.Summary())
		}
	}
}
