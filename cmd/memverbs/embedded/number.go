package embedded

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// delta is a change to a number: a 64-bit sum that wraps, or a difference that stops at
// 0.
type delta struct {
	amount uint64
	down   bool
}

func (d delta) of(n uint64) uint64 {
	if !d.down {
		return n + d.amount
	}
	return n - min(n, d.amount)
}

// count returns a copy of the item with its number changed, and the number; false if
// its value is no number. A number that is not longer is padded with spaces to the old
// length, and all else is copied. With a longer number, only the flags and the time to
// expire are copied.
func (it *item) count(d delta) (next *item, text []byte, ok bool) {
	digits, _, _ := bytes.Cut(it.value, []byte{0}) // C takes it for the end
	n, ok := protocol.ParseC(digits)
	if !ok {
		return nil, nil, false
	}
	text = strconv.AppendUint(nil, d.of(n), 10)
	if len(text) > len(it.value) {
		return &item{content: content{value: text, flags: it.flags, expires: it.expires}}, text, true
	}
	next = it.clone()
	next.value = fmt.Appendf(nil, "%-*s", len(it.value), text)
	return next, text, true
}
