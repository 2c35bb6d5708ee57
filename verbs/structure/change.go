package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs/structure/format"
)

// change replaces the beginning of a head, old, by an equivalent text, new. It keeps what has been
// appended meanwhile, so it can be made as long as the head begins with old.
type change struct {
	old, new []byte
	before   []format.Segment // segments that both point to, before all others
	written  []format.Segment // segments that only new points to
	log      []byte           // the text of written, which is one segment then; nil if there is none
	replaced []format.Segment // segments that only old points to
	foreign  foreign          // tokens of old that new lacks
	closed   bool             // new ends in tokens, after which no pointer may come
	empty    bool             // the structure is empty with new, see emptied.go
	letter   byte             // of the structure's kind; if new is empty, the tokens after old must show the kind
	dropped  Dropped          // members of old that new lacks, unless they are appended again
	of       format.Version   // if not zero, the only version of the head that the change may be made to
}

// fits reports whether the change can be made to a head with the given value.
func (ch *change) fits(value []byte) bool {
	rest, ok := bytes.CutPrefix(value, ch.old)
	if !ok {
		return false
	}
	if n := len(ch.old); len(rest) > 0 && n > 0 && !format.Space(ch.old[n-1]) {
		return false // what follows old continues its last token
	}
	if ch.dropped.isIn(rest) {
		return false
	}
	rest = format.TrimSpace(rest)
	pointer := bytes.HasPrefix(rest, []byte{'@'})
	if len(ch.new) > 0 {
		return !(ch.closed && pointer)
	}
	return pointer || format.LetterOf(rest) == ch.letter
}
