// Package statistics reads what memcached servers answer to stats, puts what several of them
// say together as the answer of one, and writes such answers.
//
//	Text      an answer that is being written
//	Sums      general statistics of several servers, added up
//	Merged    their stats items, slabs or sizes
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
