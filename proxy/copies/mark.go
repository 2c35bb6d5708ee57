package copies

import "bytes"

// mark is the value of a mark. Nothing else has it, unless a client stores it on purpose, who then misses it.
var mark = []byte("\x00mv\x9d\xf1\x07fill\xc3\x52\x1e\xb6\x00\xff")

// MarkLives is how long a mark lives, in seconds: much longer than a fill takes, and not so long that an add of the key would
// fail for long if the proxy ends in between.
const MarkLives = 5

// IsMark reports whether the value of an item is a mark. Data that was appended to a mark is lost with it.
func IsMark(value []byte) bool {
	return len(value) >= len(mark) && (bytes.HasPrefix(value, mark) || bytes.HasSuffix(value, mark))
}
