package sets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/verbs/structure/format"
)

// begun is when the tests begin, in milliseconds since 1970.
const begun = 1_700_000_000_000

// plain is a set in the simplest form: what its log says of each member that was not removed, in
// order. It does not depend on the time.
type plain []stay

// stay is how long a member is in a set.
type stay struct {
	name  string
	until int64 // in seconds since 1970, 0 for ever
}

// find returns the index of a member, -1 if there is none.
func (p plain) find(name string) int {
	return slices.IndexFunc(p, func(s stay) bool { return s.name == name })
}

func (p plain) without(name string) plain {
	return slices.DeleteFunc(slices.Clone(p), func(s stay) bool { return s.name == name })
}

// with adds a member until a time, 0 for ever. One that is there for ever stays where it is.
func (p plain) with(name string, until int64) plain {
	if i := p.find(name); until == 0 && i >= 0 && p[i].until == 0 {
		return p
	}
	return append(p.without(name), stay{name, until})
}

// apply returns the set after the tokens of a log, without those of other kinds.
func (p plain) apply(log string) plain {
	for _, token := range strings.Fields(log) {
		switch token[0] {
		case '+':
			p = p.with(token[1:], 0)
		case '-':
			p = p.without(token[1:])
		case '~':
			until, name, _ := strings.Cut(token[1:], ":")
			n, _ := strconv.ParseInt(until, 10, 64)
			p = p.with(name, n)
		}
	}
	return p
}

// has reports whether a member is in the set at a time, in milliseconds.
func (p plain) has(name string, now int64) bool {
	i := p.find(name)
	return i >= 0 && p[i].isThere(now)
}

func (s stay) isThere(now int64) bool { return s.until == 0 || format.ExpiredAt(s.until) > now }

// at returns the members at a time.
func (p plain) at(now int64) (names []string) {
	for _, s := range p {
		if s.isThere(now) {
			names = append(names, s.name)
		}
	}
	return names
}

// String returns the set as text, which parse reads.
func (p plain) String() string {
	var words []string
	for _, s := range p {
		if s.until == 0 {
			words = append(words, s.name)
		} else {
			words = append(words, fmt.Sprintf("%s@%d", s.name, s.until))
		}
	}
	return strings.Join(words, " ")
}

func parse(text string) (p plain) {
	for _, word := range strings.Fields(text) {
		name, until, _ := strings.Cut(word, "@")
		n, _ := strconv.ParseInt(until, 10, 64)
		p = append(p, stay{name, n})
	}
	return p
}
