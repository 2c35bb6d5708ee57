package near

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// Prefix says for how long values are kept of keys that begin with a text.
type Prefix struct {
	Text string
	For  time.Duration
}

// prefix is a Prefix for comparing.
type prefix struct {
	text  []byte
	lasts int64 // in microseconds
}

// prefixes are the prefixes of a cache, the longest first.
type prefixes []prefix

func newPrefixes(list []Prefix) (all prefixes) {
	for _, p := range list {
		all = append(all, prefix{[]byte(p.Text), p.For.Microseconds()})
	}
	slices.SortFunc(all, func(a, b prefix) int { return cmp.Compare(len(b.text), len(a.text)) })
	return all
}

// lasts returns for how long the value of key is kept, in microseconds; 0 if it is not kept at all.
func (all prefixes) lasts(key []byte) int64 {
	for i := range all {
		if bytes.HasPrefix(key, all[i].text) {
			return all[i].lasts
		}
	}
	return 0
}
