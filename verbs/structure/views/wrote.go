package views

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs/structure/format"
)

// When a head is settled, the process that has written the new segment knows its text. So it need not read it when it makes the
// next view.

// wrote is a segment that this process has written, although the view's head does not point to it.
type wrote struct {
	segment format.Segment
	from    int    // where its text begins in the view's log, or where the segments end there that it follows
	text    []byte // nil if the log has it
}

// mostText is how many bytes the text of such a segment may have if the log does not have it.
const mostText = 1 << 20

// Wrote notes that this process has written a segment with the given text, which follows the segments before, so that nobody
// needs to read it. The view keeps the text, which must not be changed any more, unless the view's log has it.
func (v *View) Wrote(before []format.Segment, s format.Segment, text []byte) {
	switch n, from := v.common(before); {
	case n < len(before):
	case bytes.HasPrefix(v.Log[from:], text):
		v.wrote = wrote{s, from, nil}
	case len(text) <= mostText:
		v.wrote = wrote{s, from, text}
	}
}

// Common returns how many of the first segments the view has the text of, and that text: first what is in the view's log,
// then more.
func (v *View) Common(segments []format.Segment) (n int, log, more []byte) {
	n, bytes := v.common(segments)
	if n < len(segments) && v.wrote.segment == segments[n] && v.wrote.from == bytes {
		if v.wrote.text != nil {
			return n + 1, v.Log[:bytes], v.wrote.text
		}
		bytes += segments[n].Bytes
		n++
	}
	return n, v.Log[:bytes], nil
}

// common returns how many of the first segments the view's head points to, and how many bytes of the view's log they take.
func (v *View) common(segments []format.Segment) (n, bytes int) {
	for n < len(segments) && n < len(v.Head.Segments) && segments[n] == v.Head.Segments[n] {
		bytes += segments[n].Bytes
		n++
	}
	return n, bytes
}
