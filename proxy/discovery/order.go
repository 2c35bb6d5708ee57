package discovery

import (
	"cmp"
	"strings"
)

// Some layouts place keys by the numbers of the servers, so all proxies must have them in one order, whatever the
// order of an answer. Numbers in names are compared as numbers: cache-10 comes after cache-9, so that a pool that grows
// does so at its end.

// compare compares two servers.
func compare(a, b string) int {
	whole := cmp.Compare(a, b)
	for a != "" && b != "" {
		one, other := piece(a), piece(b)
		if c := comparePieces(one, other); c != 0 {
			return c
		}
		a, b = a[len(one):], b[len(other):]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), whole)
}

// piece returns the beginning of s: all digits up to the first other character, or the other way round.
func piece(s string) string {
	digits := isDigit(s[0])
	for i := range len(s) {
		if isDigit(s[i]) != digits {
			return s[:i]
		}
	}
	return s
}

// comparePieces compares numbers by their values, and anything else as texts.
func comparePieces(a, b string) int {
	if isDigit(a[0]) && isDigit(b[0]) {
		a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	}
	return cmp.Compare(a, b)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
