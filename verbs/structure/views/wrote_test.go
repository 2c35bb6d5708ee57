package views

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A view knows the text of its segments, and of the segment written last where that follows them.
func TestCommon(t *testing.T) {
	a, b, w := segment("a", 3), segment("b", 3), segment("w", 4)
	for _, test := range []struct {
		before    []format.Segment // those that precede w as it is written
		text      string           // of w
		segments  []format.Segment
		n         int
		log, more string
	}{
		{[]format.Segment{a}, "+y +", []format.Segment{a}, 1, "+x ", ""},
		{[]format.Segment{a}, "+y +", []format.Segment{a, w}, 2, "+x +y +", ""},
		{[]format.Segment{a}, "+z +", []format.Segment{a, w}, 2, "+x ", "+z +"},
		{[]format.Segment{a}, "+z +", []format.Segment{a, w, b}, 2, "+x ", "+z +"},
		{[]format.Segment{a}, "+z +", []format.Segment{a, b, w}, 1, "+x ", ""},
		{[]format.Segment{a}, "+z +", []format.Segment{w}, 0, "", ""},
		{[]format.Segment{b}, "+z +", []format.Segment{a, w}, 1, "+x ", ""},
		{[]format.Segment{b}, "+z +", []format.Segment{b, w}, 0, "", ""},
		{nil, "+x +", []format.Segment{w}, 1, "+x +", ""},
		{nil, "+z +", []format.Segment{w}, 1, "", "+z +"},
		{nil, "+z +", []format.Segment{a, w}, 1, "+x ", ""},
	} {
		s := Reading{Key: []byte("k"), Log: []byte("+x +y +z "), Head: format.Head{Segments: []format.Segment{a}, Tail: []byte("+y +z ")}}
		v := NewView(&s, nil, nil)
		v.Wrote(test.before, w, []byte(test.text))
		n, log, more := v.Common(test.segments)
		if n != test.n || string(log) != test.log || string(more) != test.more {
			t.Errorf("%q is written after %v; of %v, %d are known: %q and %q", test.text, test.before, test.segments, n, log, more)
		}
	}
}

// The text of a long segment is not kept, unless the log has it anyway.
func TestLongTextIsNotKept(t *testing.T) {
	w := segment("w", mostText+1)
	v := NewView(&Reading{Key: []byte("k"), Log: []byte("+x ")}, nil, nil)
	v.Wrote(nil, w, make([]byte, mostText+1))
	if n, _, _ := v.Common([]format.Segment{w}); n > 0 {
		t.Error("it is kept")
	}
}

// segment returns one with an id that consists of a letter, and so many bytes.
func segment(id string, bytes int) format.Segment {
	h, _ := format.ParseHead(fmt.Appendf(nil, "@%s:1:%d ", strings.Repeat(id, verbs.IDSize), bytes))
	return h.Segments[0]
}
