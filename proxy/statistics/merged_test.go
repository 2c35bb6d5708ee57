package statistics

import (
	"fmt"
	"strings"
	"testing"
)

// Invented names don't take more than maxMerged bytes, and values that are no numbers
// do no harm.
func TestMergedIsBounded(t *testing.T) {
	var m Merged
	for upstream := range 20 {
		var reply strings.Builder
		for n := range 5000 {
			fmt.Fprintf(&reply, "STAT %d:%d:%0100d %d\r\n", n, upstream, n, n)
		}
		m.Take([]byte(reply.String() + "END\r\n"))
	}
	if len(m.rows)*rowSize > maxMerged {
		t.Errorf("%d rows are kept", len(m.rows))
	}
	for _, reply := range []string{
		"STAT\r\nSTAT \r\nSTAT a\r\nSTAT :: 1\r\nSTAT 99999999999999999999:x 5\r\nSTAT 18446744073709551615:x 5\r\nEND\r\n",
		"STAT items:1:age -5\r\nSTAT items:1:age text here\r\nSTAT items:1:age 18446744073709551615\r\nSTAT items:1:age 99999999999999999999\r\nEND\r\n",
		"", "END", "STAT x 1",
	} {
		var m Merged
		m.Take([]byte(reply))
		var text Text
		m.Tell(&text)
		for line := range strings.Lines(text.String()) {
			if words := strings.Fields(line); len(words) < 2 || words[0] != "STAT" || !strings.HasSuffix(line, "\r\n") {
				t.Errorf("%q became %q", reply, line)
			}
		}
	}
}

// The statistics of several upstreams and the merged result.
func TestMerged(t *testing.T) {
	var m Merged
	m.Take([]byte("STAT 2:chunk_size 120\r\nSTAT 2:used_chunks 5\r\nSTAT active_slabs 1\r\nSTAT total_malloced 10\r\nEND\r\n"))
	m.Take([]byte("STAT 1:chunk_size 96\r\nSTAT 1:used_chunks 1\r\nSTAT 2:chunk_size 120\r\nSTAT 2:used_chunks 6\r\n" +
		"STAT active_slabs 2\r\nSTAT total_malloced 30\r\nEND\r\n"))
	m.Take([]byte("STAT items:1:evicted_time 0\r\nSTAT items:1:age 7\r\nSTAT sizes_status disabled\r\n"))
	m.Take([]byte("STAT items:1:evicted_time 9\r\nSTAT items:1:age 3\r\nSTAT sizes_status disabled\r\n"))
	m.Take([]byte("STAT items:1:evicted_time 5\r\nSTAT items:1:age 6\r\n"))
	m.Take([]byte("STAT items:1:evicted_time 0\r\n"))
	want := "STAT 1:chunk_size 96\r\nSTAT 1:used_chunks 1\r\nSTAT items:1:evicted_time 5\r\nSTAT items:1:age 7\r\n" +
		"STAT 2:chunk_size 120\r\nSTAT 2:used_chunks 11\r\nSTAT active_slabs 2\r\nSTAT total_malloced 40\r\nSTAT sizes_status disabled\r\n"
	var text Text
	m.Tell(&text)
	if got := text.String(); got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
}
