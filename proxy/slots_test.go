package proxy

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/proxy/memory"
)

func (o *output) text() string {
	var all []byte
	for i := range o.parts {
		all = append(all, o.parts[i].rest()...)
	}
	return string(all)
}

// Whatever the order in which replies come, they leave in the order of the
// requests, and no buffer is lost.
func TestSlotsKeepTheOrder(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var p memory.Pool
		out := output{pool: &p}
		var s slots
		var open []uint32
		var expected bytes.Buffer
		texts := map[uint32]string{}
		for range 300 {
			if len(open) == 0 || rng.IntN(2) == 0 {
				n := s.reserve(1, nil)
				size := rng.IntN(100)
				if rng.IntN(10) == 0 {
					size = ownBuffer + rng.IntN(1000)
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
		if out.text() != expected.String() {
			t.Fatalf("seed %d: replies left in another order than that of the requests", seed)
		}
		if s.len() != 0 || s.held != 0 || s.weight != 0 {
			t.Fatalf("seed %d: %d slots, %d bytes, weight %d are left", seed, s.len(), s.held, s.weight)
		}
		out.drop()
		if p.InUse() != 0 {
			t.Fatalf("seed %d: %d bytes of buffers are still out", seed, p.InUse())
		}
	}
}

// fillFrom fills a slot, from a buffer that may be taken or from one that is
// overwritten afterwards.
func fillFrom(s *slots, out *output, n uint32, text string, owned bool) {
	data := append(out.pool.Get(len(text)), text...)
	if s.fill(n, data, owned, false, out) {
		return
	}
	clear(data)
	out.pool.Put(data)
}

// After an error nothing more of the same retrieval is said.
func TestSlotsEndASeriesAfterAnError(t *testing.T) {
	var p memory.Pool
	out := output{pool: &p}
	s := slots{errors: &errorCounts{}}
	of := &series{}
	first, second, third := s.reserve(1, of), s.reserve(1, of), s.reserve(1, of)
	other := s.reserve(1, nil)
	s.fill(third, []byte("SERVER_ERROR\n"), false, true, &out)
	s.fill(other, []byte("other\n"), false, false, &out)
	s.fill(second, []byte("SERVER_ERROR\n"), false, true, &out)
	s.fill(first, []byte("first\n"), false, false, &out)
	if got, expected := out.text(), "first\nSERVER_ERROR\nother\n"; got != expected {
		t.Fatalf("got %q, expected %q", got, expected)
	}
	if *s.errors != (errorCounts{server: 1}) {
		t.Errorf("%+v errors have been counted", *s.errors)
	}
}

func TestOutputAdvancesByAnyStep(t *testing.T) {
	for step := 1; step < 40; step++ {
		var p memory.Pool
		out := output{pool: &p}
		var expected, got bytes.Buffer
		for i := range 50 {
			text := fmt.Sprintf("message %d of some length;", i)
			expected.WriteString(text)
			if i%5 == 0 {
				out.own(append(p.Get(len(text)), text...), 0)
			} else if i%5 == 1 {
				out.own(append(p.Get(2+len(text)), "x:"+text...), 2)
			} else {
				out.write([]byte(text))
			}
			for out.size > step*3 {
				got.WriteString(out.text()[:step])
				out.advance(step)
			}
		}
		got.WriteString(out.text())
		out.advance(out.size)
		if got.String() != expected.String() {
			t.Fatalf("step %d: what left is not what was written", step)
		}
		if p.InUse() != 0 || out.size != 0 {
			t.Fatalf("step %d: %d bytes of buffers are still out, size %d", step, p.InUse(), out.size)
		}
	}
}

func TestFifoWrapsAndGrows(t *testing.T) {
	var f fifo
	next, expect := uint32(0), uint32(0)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		if f.len() == 0 || rng.IntN(100) < 52 {
			f.push(&pending{slot: next})
			next++
			continue
		}
		var p pending
		if f.pop(&p); p.slot != expect {
			t.Fatalf("popped %d, expected %d", p.slot, expect)
		}
		expect++
	}
}
