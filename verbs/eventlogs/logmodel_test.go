package eventlogs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// record returns an event in its stored form.
func record(when int64, data string) string {
	return fmt.Sprintf("%d 0 %d\r\n%s\r\n", when, len(data), data)
}

// fetched is an event in an answer of logfetch.
type fetched struct {
	when  int64
	flags uint32
	data  string
}

// parseFetch reads the answer of a logfetch.
func parseFetch(t testing.TB, answer string) (events []fetched) {
	t.Helper()
	for rest := []byte(answer); ; {
		var r protocol.Reply
		n, _, err := protocol.ParseReply(rest, &r)
		if err != nil || n == 0 {
			t.Fatalf("%.300q is no answer of logfetch: %v", answer, err)
		}
		if rest = rest[n:]; r.Kind == protocol.ReplyEnd && len(rest) == 0 {
			return events
		}
		var e fetched
		var log string
		var size int
		if _, err := fmt.Sscanf(string(r.Line), "VALUE %s %d %d %d", &log, &e.flags, &size, &e.when); err != nil {
			t.Fatalf("%.300q is no answer of logfetch: %q: %v", answer, r.Line, err)
		}
		e.data = string(r.Data)
		events = append(events, e)
	}
}

// putLog puts an event and compares the answer.
func putLog(w *verbtest.World, log string, when int64, data, want string) {
	w.T.Helper()
	w.Expect(fmt.Sprintf("logput %s 0 %d %d\r\n%s", log, when, len(data), data), want)
}

// fetchLog sends a logfetch with the given words and compares the data of the events.
func fetchLog(w *verbtest.World, words string, want ...string) {
	w.T.Helper()
	var got []string
	for _, e := range parseFetch(w.T, w.Send("logfetch "+words)) {
		got = append(got, e.data)
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		w.T.Errorf("logfetch %s at %d: %.500q, expected %.500q", words, w.Clock, got, want)
	}
}

// fillChunk fills the first n items of the present chunk.
func fillChunk(w *verbtest.World, log string, n int64) {
	chunk := chunksOf(w).at(w.Clock)
	for i := range n {
		key := string(appendItemKey(nil, []byte(log), chunk, i+1))
		w.Put(key, record(w.Clock, fmt.Sprintf("filler %d", i)), 0, 90)
		w.Fill(key)
	}
}
