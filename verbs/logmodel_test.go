package verbs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// record is an event as it is stored.
func record(when int64, data string) string {
	return fmt.Sprintf("%d 0 %d\r\n%s\r\n", when, len(data), data)
}

// fetched is an event as logfetch answers it.
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
func (w *world) putLog(log string, when int64, data, want string) {
	w.t.Helper()
	w.expect(fmt.Sprintf("logput %s 0 %d %d\r\n%s", log, when, len(data), data), want)
}

// fetchLog fetches the interval that words ask for, and compares the data of
// the events.
func (w *world) fetchLog(words string, want ...string) {
	w.t.Helper()
	var got []string
	for _, e := range parseFetch(w.t, w.send("logfetch "+words)) {
		got = append(got, e.data)
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		w.t.Errorf("logfetch %s at %d: %.500q, expected %.500q", words, w.now, got, want)
	}
}

// putOldRound makes the item that a chunk has in the ring as the last round
// left it: with the event data, to expire when the chunk begins.
func (w *world) putOldRound(log string, chunk int64, data string) {
	o := &w.options
	begins := chunk * o.LogChunk
	when := begins - o.LogChunks*o.LogChunk + 1
	key := o.appendItemKey(nil, []byte(log), chunk)
	w.put(string(key), record(when, data), 0, (begins-w.now)/1000)
}

// fillChunk fills the item of the present chunk and n further ones.
func (w *world) fillChunk(log string, n int64) {
	o := &w.options
	chunk := o.chunkOf(w.now)
	keys := [][]byte{o.appendItemKey(nil, []byte(log), chunk)}
	for i := range n {
		keys = append(keys, appendOverflowKey(nil, []byte(log), chunk, i+1))
	}
	for i, key := range keys {
		w.put(string(key), record(w.now, fmt.Sprintf("filler %d", i)), 0, 90)
		w.fill(string(key))
	}
}
