package settings

import (
	"strings"
	"testing"
)

// Each mistake with copies is told with its place, and the summary tells what they mean.
func TestCopiesInAFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ pool, route, wrong string }{
		{"", "{copies: [a, b]}", ""},
		{"", "{copies: [a, b, c], strip: false}", ""},
		{"", "{copies: [a]}", "copies: give the names of 2 to 8 pools, the one that is read first at the beginning"},
		{"", "{copies: []}", "the list is empty"},
		{"", "{copies: [a, a]}", "copies: pool a is named twice"},
		{"", "{copies: [a, nobody]}", `there is no pool "nobody"`},
		{"", "{copies: [nobody, a]}", `there is no pool "nobody"`},
		{"", "{copies: [a, b], pool: c}", "copies: this route has a pool, too; remove one of the two"},
		{"", "{copies: [a, d]}", "copies: pools a and d both have the server a:11211: a key would have both copies there, which replace each other"},
		{"", "{copies: a}", "a list is expected here"},
		{"read-only: true", "{copies: [a, b]}", "copies: pool b can't have copies with read-only: true"},
		{"on-down: spare:c", "{copies: [a, b]}", "copies: pool b can't have copies with on-down: spare:<pool>"},
		{"on-return: keep", "{copies: [a, b]}", "copies: pool b can't have copies with on-return: keep"},
		{"namespaces: ['user:']", "{copies: [b, a]}", "copies: pool b can't have copies with namespaces"},
		{"near: {'x:': 1s}", "{copies: [a, b]}", "copies: pool b can't have copies with near"},
		{"hold-misses: {'x:': 1s}", "{copies: [a, b]}", "copies: pool b can't have copies with hold-misses"},
		{"on-down: miss", "{copies: [a, b]}", ""},
	} {
		text := "pools:\n  a: {servers: [a], listen: [':1']}\n  c: {servers: [c], listen: [':3']}\n  d: {servers: [d, a], listen: [':4']}\n" +
			"  b:\n    servers: [b]\n    listen: [':2']\n    " + test.pool + "\nlisteners: [{listen: [':9'], routes: {'': " + test.route + "}}]\n"
		s, _, err := parseSettings(text)
		switch {
		case test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong)):
			t.Errorf("%s, %s: %v", test.pool, test.route, err)
		case test.wrong == "" && err != nil:
			t.Errorf("%s, %s: %v", test.pool, test.route, err)
		case test.wrong == "" && !strings.Contains(s.Summary(), "copies of all keys: get asks a, then b"):
			t.Errorf("%s: %s", test.route, s.Summary())
		}
	}
}
