// Package converted writes parts of files that are made from the configuration of another proxy.
package converted

import (
	"regexp"
	"strconv"
	"strings"
)

// plainKey matches keys that need no quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// Key returns text as a key or a value of YAML, in quotes if it needs them.
func Key(text string) string {
	if plainKey.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

// Comment returns text on one line, for a comment.
func Comment(text string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
