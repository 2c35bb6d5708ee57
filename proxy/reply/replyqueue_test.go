package reply

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/transport"
)

// In whatever order replies arrive, they are sent in the order of the requests, and no
// buffer is lost.
func TestRepliesKeepTheOrder(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var p transport.Buffers
		out := transport.Output{Buffers: &p}
		s := Queue{Common: &Common{}}
		var open []uint32
		var expected bytes.Buffer
		texts := map[uint32]string{}
		for range 300 {
			if len(open) == 0 || rng.IntN(2) == 0 {
				n := s.Reserve(1, nil)
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
		if s.Len() != 0 || s.Held != 0 || s.Weight != 0 {
			t.Fatalf("seed %d: %d slots, %d bytes, weight %d are left", seed, s.Len(), s.Held, s.Weight)
		}
		out.Drop()
		if p.InUse() != 0 {
			t.Fatalf("seed %d: %d bytes of buffers are still out", seed, p.InUse())
		}
	}
}

// fillFrom fills a slot, from a buffer that fill may take over, or from one that is
// overwritten afterwards.
func fillFrom(s *Queue, out *transport.Output, n uint32, text string, owned bool) {
	data := append(out.Buffers.Get(len(text)), text...)
	if s.Fill(n, data, owned, false, out) {
		return
	}
	clear(data)
	out.Buffers.Put(data)
}

// After an error nothing more of the same retrieval is sent.
func TestLongRetrievalEndsWithAnError(t *testing.T) {
	var p transport.Buffers
	out := transport.Output{Buffers: &p}
	s := Queue{Common: &Common{Counts: &status.Counts{}}}
	of := &LongRetrieval{}
	first, second, third := s.Reserve(1, of), s.Reserve(1, of), s.Reserve(1, of)
	other := s.Reserve(1, nil)
	s.Fill(third, []byte("SERVER_ERROR\n"), false, true, &out)
	s.Fill(other, []byte("other\n"), false, false, &out)
	s.Fill(second, []byte("SERVER_ERROR\n"), false, true, &out)
	s.Fill(first, []byte("first\n"), false, false, &out)
	if got, expected := string(out.Bytes()), "first\nSERVER_ERROR\nother\n"; got != expected {
		t.Fatalf("got %q, expected %q", got, expected)
	}
	if *s.Counts != (status.Counts{status.ServerErrors: 1}) {
		t.Errorf("%+v errors have been counted", *s.Counts)
	}
}

// In every order in which three replies, of which some are errors, become ready, each is sent when those
// before it are, and none before.
func TestRepliesInEachOrder(t *testing.T) {
	t.Parallel()
	for _, order := range [][]uint32{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		for failing := range 8 {
			var p transport.Buffers
			out := transport.Output{Buffers: &p}
			q := Queue{Common: &Common{Counts: &status.Counts{}}}
			for range order {
				q.Reserve(1, nil)
			}
			done := map[uint32]bool{}
			for _, n := range order {
				q.Fill(n, []byte{'0' + byte(n)}, false, failing>>n&1 == 1, &out)
				done[n] = true
				sent := 0
				for sent < len(order) && done[uint32(sent)] {
					sent++
				}
				if got := string(out.Bytes()); got != "012"[:sent] {
					t.Fatalf("order %v: %q is sent after reply %d, expected %q", order, got, n, "012"[:sent])
				}
				if q.Len() != len(order)-sent || q.Weight != len(order)-len(done) {
					t.Fatalf("order %v: %d replies of weight %d are outstanding after reply %d", order, q.Len(), q.Weight, n)
				}
				for i := uint32(sent); i < uint32(len(order)); i++ {
					expected := awaited
					if done[i] {
						expected = stateOf(failing>>i&1 == 1)
					}
					if s := q.At(i).state; s != expected {
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
	q := Queue{Common: &Common{Counts: &status.Counts{}}}
	first, second := q.Reserve(1, nil), q.Reserve(1, nil)
	if q.HasBegun(first) {
		t.Error("a reply has begun of which nothing was sent")
	}
	q.Begun = 1
	if !q.HasBegun(first) || q.HasBegun(second) {
		t.Error("not only the first reply has begun")
	}
}
