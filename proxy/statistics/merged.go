package statistics

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/memverbs/memverbs/protocol"
)

// maxMerged bounds the memory that what several upstreams tell together takes,
// in bytes of names and values and rowSize for each. What does not fit is left out.
const (
	maxMerged = 8 << 20
	rowSize   = 128
)

// Merged is what several upstreams say to stats items, slabs or sizes, in the
// form of one: what has the same name becomes one number. So the numbers of a
// slab class are right if the upstreams have the same classes, as they have if
// they were started alike.
type Merged struct {
	rows map[string]*row // by name
	size int
}

// row is one statistic.
type row struct {
	name  string
	class int // of slabs, or the size of items; noClass for what is about all
	place int // in the order in which names came
	value uint64
	text  string // instead of a number
}

const noClass = math.MaxInt

// Take adds what one upstream says.
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

// rule says how two upstreams' values become one.
type rule func(sum, value uint64) uint64

// rules are those of statistics that have no sum.
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

// shortest is for a time that is 0 where it is about nothing.
func shortest(least, value uint64) uint64 {
	if least == 0 || value > 0 && value < least {
		return value
	}
	return least
}

// Tell tells the statistics by class, then those about all.
func (m *Merged) Tell(t *Text) {
	rows := make([]*row, 0, len(m.rows))
	classes := map[int]struct{}{}
	for _, r := range m.rows {
		rows = append(rows, r)
		if r.class != noClass {
			classes[r.class] = struct{}{}
		}
	}
	if active := m.rows["active_slabs"]; active != nil {
		active.value = uint64(len(classes)) // several upstreams may use the same
	}
	slices.SortFunc(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.place, b.place))
	})
	for _, r := range rows {
		if r.text != "" {
			t.Add(r.name, r.text)
		} else {
			t.Add(r.name, r.value)
		}
	}
}
