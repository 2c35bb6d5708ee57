package embedded

import (
	"bytes"
	"math"
	"strconv"
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
	n, ok := parseNumber(it.value)
	if !ok {
		return nil, nil, false
	}
	text = strconv.AppendUint(nil, d.of(n), 10)
	if len(text) > len(it.value) {
		return &item{value: text, flags: it.flags, expires: it.expires}, text, true
	}
	next = it.clone()
	next.value = append(make([]byte, 0, len(it.value)), text...)
	for len(next.value) < len(it.value) {
		next.value = append(next.value, ' ')
	}
	return next, text, true
}

// parseNumber parses the number at the start of a value like memcached, by C's
// strtoull: white space and a sign may precede it, and white space, a zero byte or the
// end of the value must follow. A minus negates modulo 2⁶⁴; the result must not have
// its highest bit set.
func parseNumber(value []byte) (uint64, bool) {
	digits := bytes.TrimLeft(value, space)
	minus := false
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		minus = digits[0] == '-'
		digits = digits[1:]
	}
	end := bytes.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		if c := digits[end]; c != 0 && bytes.IndexByte([]byte(space), c) < 0 {
			return 0, false
		}
		digits = digits[:end]
	}
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if minus {
		n = -n
	}
	return n, err == nil && !(minus && n > math.MaxInt64)
}

// space is C's white space.
const space = " \t\n\v\f\r"
