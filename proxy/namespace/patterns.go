package namespace

import (
	"bytes"
	"fmt"
	"strings"
)

// Pattern says which keys are in a namespace: those that begin with a text; or, if that ends in a star and one more character,
// those that have one or more other characters in place of the star. Then each such beginning is a namespace.
type Pattern struct {
	head []byte // what precedes the star, or all
	end  byte   // what follows the star
	star bool
}

// ParsePattern reads a pattern, such as user: or shop/*/.
func ParsePattern(text string) (Pattern, error) {
	head, tail, star := strings.Cut(text, "*")
	switch {
	case text == "":
		return Pattern{}, fmt.Errorf("a namespace needs a text that its keys begin with")
	case !star:
		return Pattern{head: []byte(head)}, nil
	case len(tail) != 1 || tail == "*":
		return Pattern{}, fmt.Errorf("in %q the star must be followed by one character, which ends what it stands for, as in shop/*/", text)
	}
	return Pattern{[]byte(head), tail[0], true}, nil
}

// String returns the pattern as it was written.
func (p Pattern) String() string {
	if p.star {
		return string(p.head) + "*" + string(p.end)
	}
	return string(p.head)
}

// Describe tells people which keys are flushed together.
func (p Pattern) Describe() string {
	if p.star {
		return fmt.Sprintf("all keys that begin with %s and one text up to the next %c at once", p.head, p.end)
	}
	return fmt.Sprintf("all keys that begin with %s at once", p.head)
}

// Overlaps reports whether a key may match both patterns.
func (p Pattern) Overlaps(other Pattern) bool {
	return bytes.HasPrefix(p.head, other.head) || bytes.HasPrefix(other.head, p.head)
}

// of returns the length of the namespace of key, 0 if the pattern does not match.
func (p Pattern) of(key []byte) int {
	if !bytes.HasPrefix(key, p.head) {
		return 0
	}
	if !p.star {
		return len(p.head)
	}
	if i := bytes.IndexByte(key[len(p.head):], p.end); i > 0 {
		return len(p.head) + i + 1
	}
	return 0
}

// Patterns are those of a pool. No two of them overlap, so neither do namespaces: none begins with another one.
type Patterns []Pattern

// String lists the patterns.
func (all Patterns) String() string {
	var texts []string
	for _, p := range all {
		texts = append(texts, p.String())
	}
	return strings.Join(texts, ", ")
}

// Of returns the length of the namespace of key, 0 if it is in none.
func (all Patterns) Of(key []byte) int {
	for i := range all {
		if n := all[i].of(key); n > 0 {
			return n
		}
	}
	return 0
}
