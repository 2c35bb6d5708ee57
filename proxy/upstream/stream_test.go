package upstream

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/tally"
	"github.com/memverbs/memverbs/proxy/transport"
)

// whoever is a sink that takes every reply in parts.
type whoever struct{ nobody }

func (whoever) Streams(*Pending, bool) bool { return true }

func (whoever) Take(*Pending, []byte) {}

func (whoever) Straight(*Pending) *transport.Conn { return nil }

func (whoever) Moved(*Pending, int) {}

// The reply of a meta value that was passed on in parts has been checked already,
// whatever is in the buffer where its line was.
func TestStreamedMetaValueIsAHit(t *testing.T) {
	var counted tally.Counts
	r := replyReader{pool: &memory.Pool{}, limit: 1 << 20}
	p := &Pending{Sink: whoever{}, Command: protocol.MetaGet, Tally: tally.Get, expected: 3}
	e := &Expected{text: []byte("k v")}
	reply := "VA 200000\r\n" + strings.Repeat("v", 200_000) + "\r\n"
	read := []byte(reply[:65536])
	r.feed(read)
	if ready, err := r.next(p, e); ready || err != nil || !r.stream.begun {
		t.Fatalf("ready %v, error %v, begun %v", ready, err, r.stream.begun)
	}
	r.leave()
	copy(read, "EN\r\n") // the buffer is reused
	r.feed([]byte(reply[65536:]))
	if ready, err := r.next(p, e); !ready || err != nil {
		t.Fatalf("ready %v, error %v", ready, err)
	}
	r.count(p, &counted)
	if counted.Hits[tally.Get] != 1 || counted.Misses[tally.Get] != 0 {
		t.Errorf("%d hits, %d misses", counted.Hits[tally.Get], counted.Misses[tally.Get])
	}
}
