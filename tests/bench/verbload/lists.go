//go:build linux

package verbload

import (
	"fmt"
	"strings"
)

// Lists are the lists of a load. Keys and Elements must be at least 1, and Pool at least as
// many as are pushed at a time.
type Lists struct {
	Keys     int // how many lists there are
	Elements int // how many elements each has in the beginning
	Pool     int // from how many elements those to push are drawn
}

// Key returns the name of a list.
func (l Lists) Key(i int) string { return fmt.Sprintf("list:%07d", i) }

// Element returns an element, of 10 bytes.
func (l Lists) Element(i int) string { return fmt.Sprintf("e%09d", i) }

// Few returns n elements of the pool, from i on; after the last comes the first.
func (l Lists) Few(i, n int) (few []string) {
	for k := range n {
		few = append(few, l.Element((i+k)%l.Pool))
	}
	return few
}

// log returns a list as an item, each element between a prefix and a space.
func (l Lists) log(prefix string) []byte {
	var log strings.Builder
	for i := range l.Elements {
		log.WriteString(prefix + l.Element(i) + " ")
	}
	return []byte(log.String())
}

func (l Lists) collections() collections { return collections{l.Keys, l.Elements, l.Key, l.Element} }
