// Package byprefix tells durations of keys by their prefixes: the longest prefix that a key begins with counts.
package byprefix

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// Duration is the duration of keys that begin with a text.
type Duration struct {
	Text string
	For  time.Duration
}

// Durations finds the duration of a key. It has the longest prefix first.
type Durations []duration

// duration is a Duration for comparing.
type duration struct {
	text   []byte
	micros int64
}

// New returns the durations in list.
func New(list []Duration) (all Durations) {
	for _, p := range list {
		all = append(all, duration{[]byte(p.Text), p.For.Microseconds()})
	}
	slices.SortFunc(all, func(a, b duration) int { return cmp.Compare(len(b.text), len(a.text)) })
	return all
}

// Of returns the duration of key, in microseconds; 0 if the key has none of the prefixes.
func (all Durations) Of(key []byte) int64 {
	for i := range all {
		if bytes.HasPrefix(key, all[i].text) {
			return all[i].micros
		}
	}
	return 0
}
