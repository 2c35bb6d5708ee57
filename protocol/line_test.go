package protocol

import (
	"slices"
	"strings"
	"testing"
)

// memcached closes a connection with more than 2048 bytes without a line end, so no
// forwarded line may be that long, including its line end.
func TestLongestLine(t *testing.T) {
	for _, start := range []string{"mg a O", "delete ", "incr a 0", "   set a 0 0", "gat 0 a", "nonsense"} {
		for _, end := range []string{"\r\n", "\n"} {
			fits := start + strings.Repeat("x", MaxLine-len(start)-len(end)) + end
			if got := verdicts(t, fits); strings.Contains(got[0], errLongLine) {
				t.Errorf("%q with %d bytes: %.80s", start, len(fits), got)
			}
			over := "x" + fits
			if start == "gat 0 a" {
				continue // a list, read in stretches
			}
			if got := verdicts(t, over); !slices.Equal(got, []string{"hang up " + errLongLine}) {
				t.Errorf("%q with %d bytes: %.80s", start, len(over), got)
			}
		}
	}
}

// gat is forwarded with its exptime before each part; even so the line must not be too
// long.
func TestLongestGat(t *testing.T) {
	r := newReader(t)
	r.each = func(req *Request) {
		if line := len(req.AppendTo(nil)); line > MaxLine {
			t.Errorf("a line of %d bytes: %.80s", line, verdict(req, Ready))
		}
	}
	for n := 1; n <= MaxKey; n++ {
		r.feed([]byte("gats -2147483648" + strings.Repeat(" "+key250[:n], 1000) + "\r\n"))
	}
}
