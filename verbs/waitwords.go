package verbs

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/protocol"
)

// LongestWait is the longest time that a call may wait until there is something for it, in milliseconds.
const LongestWait = 60_000

// WaitUsage is how the usage of a verb ends whose calls can wait, see [CutWait].
const WaitUsage = " [wait <ms>]"

// WaitShape is how the shape of the keys that name such a verb ends, see [Carry.Shape].
const WaitShape = "[/wait/<ms>]"

// WaitWord precedes the time that a call may wait.
const WaitWord = "wait"

var errWait = fmt.Sprintf("CLIENT_ERROR bad time: <ms> is how long to wait, in milliseconds, 1 to %d", LongestWait)

// CutWait cuts the last two words off the line of a verb if they say how long it may wait until there is something to
// answer with: "wait <ms>". Nothing is cut off if only these two are there, since the first is the key then. The verb
// reads the rest of the line afterwards. A last word "wait" lacks its time, which is refused.
func CutWait(rest *[]byte, req *protocol.Request) {
	line := bytes.TrimRight(*rest, " ")
	before, last := cutLast(line)
	switch words, word := cutLast(before); {
	case string(word) == WaitWord && len(words) > 0:
		*rest = words
		if n, ok := protocol.ParseUint(last); ok && n >= 1 && n <= LongestWait {
			req.Wait = uint16(n)
		} else {
			req.Refusal = errWait
		}
	case string(last) == WaitWord && len(before) > 0:
		*rest = before
		req.Refusal = errWait
	}
}

// cutLast cuts the last word off a line that does not end in a space.
func cutLast(line []byte) (before, word []byte) {
	i := bytes.LastIndexByte(line, ' ')
	return bytes.TrimRight(line[:max(i, 0)], " "), line[i+1:]
}
