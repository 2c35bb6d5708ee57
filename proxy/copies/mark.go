package copies

import (
	"bytes"
	"fmt"
)

// mark is the value of a mark. Nothing else has it, unless a client stores it on purpose, who then misses it.
var mark = []byte("\x00mv\x9d\xf1\x07fill\xc3\x52\x1e\xb6\x00\xff")

// MarkLives is how long a mark lives, in seconds: much longer than a fill takes, and not so long that an add of the key would
// fail for long if the proxy ends in between.
const MarkLives = 5

// IsMark reports whether the value of an item is a mark. Data that was appended to a mark is lost with it.
func IsMark(value []byte) bool {
	return len(value) >= len(mark) && (bytes.HasPrefix(value, mark) || bytes.HasSuffix(value, mark))
}

// AppendMark appends a request that marks an item that is missing, and asks for the CAS of the mark.
func AppendMark(dst, key []byte) []byte {
	dst = fmt.Appendf(dst, "ms %s %d ME T%d c\r\n", key, len(mark), MarkLives)
	return append(append(dst, mark...), "\r\n"...)
}

// AppendUnmark appends a request that removes a mark.
func AppendUnmark(dst, key []byte, cas uint64) []byte {
	return fmt.Appendf(dst, "md %s C%d\r\n", key, cas)
}

// AppendFill appends a request that replaces a mark by a value, with flags as memcached has shown them, and with seconds to live; 0
// for ever.
func AppendFill(dst, key []byte, cas uint64, value, flags []byte, lives int64) []byte {
	dst = fmt.Appendf(dst, "ms %s %d C%d F%s T%d\r\n", key, len(value), cas, flags, lives)
	return append(append(dst, value...), "\r\n"...)
}

// AppendRead appends a request for all that a fill needs of an item.
func AppendRead(dst, key []byte) []byte { return fmt.Appendf(dst, "mg %s f t v\r\n", key) }
