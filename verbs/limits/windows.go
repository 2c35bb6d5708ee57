package limits

import (
	"bytes"
	"strconv"

	"github.com/memverbs/memverbs/verbs"
)

// A limit counts what it has allowed in parts of its window: as many as fit into the window, and the present one,
// which is not over.

// parts is how many parts a window has. One part more than these is counted, so of a limit that is hammered
// 1/(parts+1) is lost: a seventeenth.
const parts = 16

// window is the length of a window, in seconds.
type window int64

// part returns the number of the part that a time is in. Times are in milliseconds since 1970; before that there
// is one part.
func (w window) part(now int64) int64 { return max(now, 0) * parts / (1000 * int64(w)) }

// begins returns when a part begins: the first time that is in it.
func (w window) begins(part int64) int64 {
	length := 1000 * int64(w)
	return (part*length + parts - 1) / parts
}

// lasts returns how long a counter has to live, in seconds, to be counted as long as any proxy counts its part:
// until as many parts more are over as a window has, and one for clocks that differ.
func (w window) lasts() int64 { return (int64(w)*(parts+2)+parts-1)/parts + clockSlack }

// clockSlack makes up for memcached's clock, in seconds, which counts whole seconds, and sometimes skips one.
const clockSlack = 2

// appendName appends to dst what the keys of all counters of a limit begin with.
func (w window) appendName(dst, key []byte) []byte {
	return append(strconv.AppendInt(append(append(dst, key...), ":limit:"...), int64(w), 10), ':')
}

// IsCounter reports whether name, which follows a key and a colon, has the form of the name of a counter of a limit
// with that key.
func IsCounter(name []byte) bool {
	rest, named := bytes.CutPrefix(name, []byte("limit:"))
	seconds, part, _ := bytes.Cut(rest, []byte{':'})
	at, err := strconv.ParseInt(string(part), base, 64)
	return named && verbs.IsNumber(seconds, 1, maxSeconds) && err == nil && at >= 0 && string(appendPart(nil, at)) == string(part)
}

// appendPart appends the number of a part to the name of a limit.
func appendPart(dst []byte, part int64) []byte { return strconv.AppendInt(dst, part, base) }

// base is the base in which the numbers of parts are written, so that keys are short.
const base = 36

// reading is what the counters of some parts hold, one part after another.
type reading struct {
	window window
	first  int64 // the part of counts[0]
	counts []uint64
}

// total returns how much was counted.
func (r *reading) total() (sum uint64) {
	for _, n := range r.counts {
		sum += min(n, mostCounted) // so that the sum is right whatever is in the items
	}
	return sum
}

// mostCounted is more than any limit allows, and so little that the sum of all that are read does not overflow.
const mostCounted = 1 << 56

// free returns when n more will be free of count, if nothing more is allowed until then.
func (r *reading) free(n, count uint64) int64 {
	rest, part := r.total(), r.first
	for _, gone := range r.counts {
		rest -= min(gone, mostCounted)
		part++
		if rest+n <= count {
			break
		}
	}
	return r.window.begins(part + parts)
}
