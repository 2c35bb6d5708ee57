// Package statistics parses memcached's answers to stats, combines those of several servers
// into one, and writes such answers.
//
//	Text      builds an answer
//	Sums      the sums of several servers' general statistics
//	Merged    several servers' stats items, slabs or sizes as one
package statistics

import (
	"fmt"
	"strings"
)

// Text builds an answer to stats.
type Text struct{ strings.Builder }

// Add adds a statistic.
func (t *Text) Add(name string, value any) { fmt.Fprintf(t, "STAT %s %v\r\n", name, value) }

// End returns the answer with its last line.
func (t *Text) End() string { return t.String() + "END\r\n" }
