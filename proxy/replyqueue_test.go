package proxy

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
)

// In whatever order replies arrive, they are sent in the order of the requests, and no
// buffer is lost.
func TestRepliesKeepTheOrder(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var p memory.Pool
		out := transport.Output{Pool: &p}
		var s replyQueue
		var open []uint32
		var expected bytes.Buffer
		texts := map[uint32]string{}
		for range 300 {
			if len(open) == 0 || rng.IntN(2) == 0 {
				n := s.reserve(1, nil)
				size := rng.IntN(100)
				if rng.IntN(10) == 0 {
					size = transport.OwnBuffer + rng.IntN(1000)
				}
				texts[n] = fmt.Sprintf("%d:%0*d\r\n", n, size, 0)
				expected.WriteString(texts[n])
				open = append(open, n)
				continue
			}
			i := rng.IntN(len(open))
			n := open[i]
			open = append(open[:i], open[i+1:]...)
			fillFrom(&s, &out, n, texts[n], rng.IntN(2) == 0)
		}
		for _, n := range open {
			fillFrom(&s, &out, n, texts[n], false)
		}
		if string(out.Bytes()) != expected.String() {
			t.Fatalf("seed %d: replies left in another order than that of the requests", seed)
		}
		if s.len() != 0 || s.held != 0 || s.weight != 0 {
			t.Fatalf("seed %d: %d slots, %d bytes, weight %d are left", seed, s.len(), s.held, s.weight)
		}
		out.Drop()
		if p.InUse() != 0 {
			t.Fatalf("seed %d: %d bytes of buffers are still out", seed, p.InUse())
		}
	}
}

// fillFrom fills a slot, from a buffer that fill may take over, or from one that is
// overwritten afterwards.
func fillFrom(s *replyQueue, out *transport.Output, n uint32, text string, owned bool) {
	data := append(out.Pool.Get(len(text)), text...)
	if s.fill(n, data, owned, false, out) {
		return
	}
	clear(data)
	out.Pool.Put(data)
}

// After an error nothing more of the same retrieval is sent.
func TestLongRetrievalEndsWithAnError(t *testing.T) {
	var p memory.Pool
	out := transport.Output{Pool: &p}
	s := replyQueue{counts: &status.Counts{}}
	of := &longRetrieval{}
	first, second, third := s.reserve(1, of), s.reserve(1, of), s.reserve(1, of)
	other := s.reserve(1, nil)
	s.fill(third, []byte("SERVER_ERROR\n"), false, true, &out)
	s.fill(other, []byte("other\n"), false, false, &out)
	s.fill(second, []byte("SERVER_ERROR\n"), false, true, &out)
	s.fill(first, []byte("first\n"), false, false, &out)
	if got, expected := string(out.Bytes()), "first\nSERVER_ERROR\nother\n"; got != expected {
		t.Fatalf("got %q, expected %q", got, expected)
	}
	if *s.counts != (status.Counts{status.ServerErrors: 1}) {
		t.Errorf("%+v errors have been counted", *s.counts)
	}
}

// In every order in which three replies, of which some are errors, become ready, each is sent when those
// before it are, and none before.
func TestRepliesInEachOrder(t *testing.T) {
	t.Parallel()
	for _, order := range [][]uint32{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for failing := range 8 {
			var p memory.Pool
			out := transport.Output{Pool: &p}
			q := replyQueue{counts: &status.Counts{}}
			for range order {
				q.reserve(1, nil)
			}
			done := map[uint32]bool{}
			for _, n := range order {
				q.fill(n, []byte{'0' + byte(n)}, false, failing>>n&1 == 1, &out)
				done[n] = true
				sent := 0
				for sent < len(order) && done[uint32(sent)] {
					sent++
				}
				if got := string(out.Bytes()); got != "012"[:sent] {
					t.Fatalf("order %v: %q is sent after reply %d, expected %q", order, got, n, "012"[:sent])
				}
				if q.len() != len(order)-sent || q.weight != len(order)-len(done) {
					t.Fatalf("order %v: %d replies of weight %d are outstanding after reply %d", order, q.len(), q.weight, n)
				}
				for i := uint32(sent); i < uint32(len(order)); i++ {
					expected := awaited
					if done[i] {
						expected = stateOf(failing>>i&1 == 1)
					}
					if s := q.at(i).state; s != expected {
						t.Fatalf("order %v: reply %d is in state %d after reply %d, expected %d", order, i, s, n, expected)
					}
				}
			}
		}
	}
}

// A reply has begun only if a part of it was sent, so only the first can have.
func TestBegunReply(t *testing.T) {
	t.Parallel()
	q := replyQueue{counts: &status.Counts{}}
	first, second := q.reserve(1, nil), q.reserve(1, nil)
	if q.hasBegun(first) {
		t.Error("a reply has begun of which nothing was sent")
	}
	q.begun = 1
	if !q.hasBegun(first) || q.hasBegun(second) {
		t.Error("not only the first reply has begun")
	}
}
