package upstream

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/tally"
)

// The reply of a meta value that was passed on in parts has been checked already,
// whatever is in the buffer where its line was.
func TestStreamedMetaValueIsAHit(t *testing.T) {
	var counted tally.Counts
	r := replyReader{pool: &memory.Pool{}, limit: 1 << 20}
	p := &Pending{Sink: nobody{}, Command: protocol.MetaGet, Tally: tally.Get, expected: 3}
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

// Of a value in a reply that was given up nothing is kept: not what has arrived, nor what arrives.
func TestGivenUpValueIsDropped(t *testing.T) {
	for _, keys := range []uint16{1, 2} {
		r := replyReader{pool: &memory.Pool{}, limit: 1 << 30}
		p := &Pending{Sink: &kept{}, Command: protocol.Get, Keys: keys, expected: 3}
		e := &Expected{text: []byte("k l")}
		const size = 10_000_000
		r.feed([]byte(fmt.Sprintf("VALUE k 0 %d\r\n%s", size, strings.Repeat("v", 100_000))))
		if ready, err := r.next(p, e); ready || err != nil || len(r.buffer) < 100_000 {
			t.Fatalf("ready %v, error %v, %d bytes kept", ready, err, len(r.buffer))
		}
		p.Sink = nobody{}
		r.discard()
		piece := []byte(strings.Repeat("v", 90_000))
		for n := 100_000; n < size; n += len(piece) {
			if ready, err := r.next(p, e); ready || err != nil || r.buffer != nil {
				t.Fatalf("after %d bytes: ready %v, error %v, %d bytes kept", n, ready, err, len(r.buffer))
			}
			r.leave()
			r.feed(piece)
		}
		_, err := r.next(p, e)
		r.leave()
		r.feed([]byte("\r\nEND\r\n"))
		if ready, last := r.next(p, e); !ready || err != nil || last != nil || r.unit.Kind != protocol.ReplyEnd {
			t.Errorf("ready %v, errors %v and %v", ready, err, last)
		}
	}
}

// kept is a sink that takes whole replies only.
type kept struct{}

func (*kept) Answered(*Pending, *Answer) {}
