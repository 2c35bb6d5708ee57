package statistics

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/memverbs/memverbs/protocol"
)

// maxMerged bounds the memory of merged statistics, in bytes: each counts as its name, its value
// and rowSize. Statistics beyond it are ignored.
const (
	maxMerged = 8 << 20
	rowSize   = 128
)

// Merged merges several upstreams' answers to stats items, slabs or sizes into one:
// numbers of the same name become one. So the numbers of a slab class are right if the
// upstreams have the same classes, as they do with the same settings.
type Merged struct {
	rows map[string]*row // by name
	size int
}

// row is one statistic.
type row struct {
	name  string
	class int // slab class or size of items; noClass for a total
	place int // in the order of appearance
	value uint64
	text  string // the value if it is not a number
}

const noClass = math.MaxInt

// Take adds the answer of one upstream.
func (m *Merged) Take(reply []byte) {
	if m.rows == nil {
		m.rows = map[string]*row{}
	}
	for name, value := range statistic(reply) {
		r := m.rows[string(name)]
		isNew := r == nil
		if isNew {
			if m.size += len(name) + len(value) + rowSize; m.size > maxMerged {
				return
			}
			r = &row{name: string(name), class: classOf(name), place: len(m.rows)}
			m.rows[r.name] = r
		}
		if n, ok := protocol.ParseUint(value); ok {
			r.value = ruleFor(name)(r.value, n)
		} else if isNew {
			r.text = string(value)
		}
	}
}

// classOf returns the first number in a name such as items:3:age or 3:used_chunks.
func classOf(name []byte) int {
	for part := range bytes.SplitSeq(name, []byte(":")) {
		if n, ok := protocol.ParseUint(part); ok && n < noClass {
			return int(n)
		}
	}
	return noClass
}

// rule combines a value with the result so far.
type rule func(sum, value uint64) uint64

// rules are the rules of statistics for which a sum is meaningless.
var rules = map[string]rule{
	"chunk_size":      highest,
	"chunks_per_page": highest,
	"age":             highest,
	"age_hot":         highest,
	"age_warm":        highest,
	"evicted_time":    shortest,
}

func ruleFor(name []byte) rule {
	if r := rules[string(name[bytes.LastIndexByte(name, ':')+1:])]; r != nil {
		return r
	}
	return func(sum, value uint64) uint64 { return sum + value }
}

func highest(most, value uint64) uint64 { return max(most, value) }

// shortest is the rule for times that are 0 if nothing has happened.
func shortest(least, value uint64) uint64 {
	if least == 0 || value > 0 && value < least {
		return value
	}
	return least
}

// Tell adds the statistics to t: first by class, then the totals.
func (m *Merged) Tell(t *Text) {
	classes := map[int]struct{}{}
	for _, r := range m.rows {
		if r.class != noClass {
			classes[r.class] = struct{}{}
		}
	}
	if active := m.rows["active_slabs"]; active != nil {
		active.value = uint64(len(classes)) // several upstreams may use the same classes
	}
	inOrder := func(a, b *row) int { return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.place, b.place)) }
	for _, r := range slices.SortedFunc(maps.Values(m.rows), inOrder) {
		if r.text != "" {
			t.Add(r.name, r.text)
		} else {
			t.Add(r.name, r.value)
		}
	}
}
