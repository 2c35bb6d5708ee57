package upstream

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
)

// readAll feeds stream in pieces of the given size, as replies to equal requests of
// command, and returns the replies as text.
func readAll(t *testing.T, command protocol.Command, asked string, stream []byte, piece, limit int) (replies []string) {
	t.Helper()
	var p memory.Pool
	r := replyReader{pool: &p, limit: limit}
	request := Pending{Command: command, expected: uint32(len(asked))}
	e := Expected{text: []byte(asked)}
	read := make([]byte, 0, piece)
	for len(stream) > 0 {
		n := min(piece, len(stream))
		read = append(read[:0], stream[:n]...) // reused, like the loop's buffer
		stream = stream[n:]
		for rest := read; len(rest) > 0; {
			rest = r.feed(rest)
			for r.more() {
				ready, err := r.next(&request, &e)
				if err != nil {
					return append(replies, "error: "+err.Error())
				}
				if !ready {
					break
				}
				var a Answer
				r.take(&a)
				text := string(a.Data)
				if r.oversize > 0 {
					text = fmt.Sprintf("oversize %d", r.oversize)
				}
				replies = append(replies, text)
				if a.Take() {
					p.Put(a.Data)
				}
				r.done(&a)
			}
		}
		r.leave()
	}
	r.reset()
	if p.InUse() != 0 {
		t.Errorf("pieces of %d: %d bytes of buffers are still out", piece, p.InUse())
	}
	return replies
}

func TestReplyReaderAnySplit(t *testing.T) {
	value := "VALUE k 0 20000\r\n" + strings.Repeat("v", 20000) + "\r\n"
	large := "VALUE k 0 50000\r\n" + strings.Repeat("v", 50000) + "\r\n"
	for _, test := range []struct {
		command protocol.Command
		asked   string
		replies []string
		see     []string // what is delivered, if that differs from replies
	}{
		{protocol.Get, "a k k", []string{"END\r\n", "VALUE a 0 3\r\nabc\r\nEND\r\n", "SERVER_ERROR x\r\n", value + value + "END\r\n", "END\r\n", value + "END\r\n"}, nil},
		{protocol.Set, "", []string{"STORED\r\n", "NOT_STORED\r\n", "SERVER_ERROR out of memory\r\n"}, nil},
		{protocol.MetaGet, "k v t", []string{"EN\r\n", "VA 3 t5\r\nabc\r\n", "VA 0\r\n\r\n"}, nil},
		{protocol.Get, "k k k", []string{value + large + value + "END\r\n", "END\r\n"}, []string{"oversize 50000", "END\r\n"}},
		{protocol.MetaGet, "k v", []string{"EN\r\n", "VA 40000\r\n" + strings.Repeat("v", 40000) + "\r\n", "EN\r\n"}, []string{"EN\r\n", "oversize 40000", "EN\r\n"}},
		{protocol.Set, "", []string{"STORED\r\n", "HD\r\n"}, []string{"STORED\r\n", "error: " + errUnfit.Error()}},
		{protocol.Get, "a b", []string{"VALUE a 0 1\r\nx\r\nVALUE b 0 1\r\ny\r\nEND\r\n", "VALUE b 0 1\r\ny\r\nVALUE a 0 1\r\nx\r\nEND\r\n"},
			[]string{"VALUE a 0 1\r\nx\r\nVALUE b 0 1\r\ny\r\nEND\r\n", "error: " + errUnfit.Error()}},
		{protocol.Get, "a", []string{"END\r\n", "VALUE a 0 3\r\nabcd\r\n"}, []string{"END\r\n", "error: " + protocol.ErrReplySize.Error()}},
		{protocol.Get, "a", []string{"rubbish\r\n"}, []string{"error: " + protocol.ErrReplyLine.Error()}},
	} {
		stream := []byte(strings.Join(test.replies, ""))
		see := test.see
		if see == nil {
			see = test.replies
		}
		for _, piece := range []int{1, 2, 3, 7, 64, 1000, 4096, 19999, 65536, 1 << 20} {
			got := readAll(t, test.command, test.asked, stream, piece, 30000)
			if fmt.Sprint(got) != fmt.Sprint(see) {
				t.Fatalf("%v in pieces of %d: got %.200q, expected %.200q", test.command, piece, got, see)
			}
		}
	}
}

func TestReplyReaderChecksTheKey(t *testing.T) {
	var p memory.Pool
	r := replyReader{pool: &p, limit: 1 << 20}
	r.feed([]byte("VALUE b 0 1\r\nx\r\nEND\r\n"))
	e := Expected{text: []byte("a")}
	if _, err := r.next(&Pending{Command: protocol.Get, expected: 1}, &e); err != errUnfit {
		t.Fatalf("a value under another key: %v, expected %v", err, errUnfit)
	}
}

// An announced length must not allocate memory.
func TestReplyReaderTakesNoMemoryInAdvance(t *testing.T) {
	var p memory.Pool
	r := replyReader{pool: &p, limit: 1 << 30}
	r.feed([]byte("VALUE a 0 500000000\r\nx"))
	e := Expected{text: []byte("a")}
	if ready, err := r.next(&Pending{Command: protocol.Get, expected: 1}, &e); ready || err != nil {
		t.Fatalf("ready %v, error %v", ready, err)
	}
	if p.InUse() > 1024 {
		t.Fatalf("%d bytes are kept for 22 received", p.InUse())
	}
}

// If much is read after the start of a reply, only the rest of that reply is copied.
func TestReplyReaderCopiesOnlyTheRest(t *testing.T) {
	var p memory.Pool
	r := replyReader{pool: &p, limit: 1 << 20}
	request := &Pending{Command: protocol.Get, expected: 1}
	e := &Expected{text: []byte("a")}
	reply := "VALUE a 0 3000\r\n" + strings.Repeat("v", 3000) + "\r\nEND\r\n"
	for _, cut := range []int{1, 20, 3000, len(reply) - 7, len(reply) - 5, len(reply) - 1} {
		const replies = 200
		r.feed([]byte(reply[:cut]))
		if ready, err := r.next(request, e); ready || err != nil {
			t.Fatalf("cut at %d: ready %v, error %v", cut, ready, err)
		}
		r.leave()
		count, most := 0, 0
		for rest := []byte(strings.Repeat(reply, replies)[cut:]); len(rest) > 0; {
			rest = r.feed(rest)
			for r.more() {
				ready, err := r.next(request, e)
				if err != nil {
					t.Fatalf("cut at %d: %v", cut, err)
				}
				most = max(most, p.InUse())
				if !ready {
					break
				}
				var a Answer
				r.take(&a)
				if string(a.Data) != reply {
					t.Fatalf("cut at %d: reply %d is %.60q", cut, count, a.Data)
				}
				r.done(&a)
				count++
			}
		}
		if count != replies || most > 4*len(reply) || p.InUse() != 0 {
			t.Errorf("cut at %d: %d replies, %d bytes kept at most and %d at the end", cut, count, most, p.InUse())
		}
	}
}

func FuzzReplyReader(f *testing.F) {
	f.Add([]byte("VALUE a 0 3\r\nabc\r\nEND\r\nEND\r\n"), uint8(protocol.Get), 3)
	f.Add([]byte("VA 100 c1\r\nabc"), uint8(protocol.MetaGet), 1)
	f.Add([]byte("VALUE a 0 300\r\n"+strings.Repeat("x", 300)+"\r\nEND\r\n"), uint8(protocol.Gets), 16)
	f.Fuzz(func(t *testing.T, stream []byte, command uint8, piece int) {
		if command >= uint8(protocol.NumCommands) || piece <= 0 {
			return
		}
		whole := readAll(t, protocol.Command(command), "a b", bytes.Clone(stream), len(stream)+1, 1<<30)
		pieces := readAll(t, protocol.Command(command), "a b", bytes.Clone(stream), piece, 1<<30)
		if fmt.Sprint(whole) != fmt.Sprint(pieces) {
			t.Fatalf("whole %q, in pieces of %d %q", whole, piece, pieces)
		}
	})
}

// keep does not check the memory, so a large buffer does not grow there.
func TestLargeReplyBufferIsNotGrownAhead(t *testing.T) {
	var p memory.Pool
	r := replyReader{pool: &p}
	r.buffer = append(p.Get(memory.MaxBuffer+1), make([]byte, memory.MaxBuffer+1)...)
	r.data = r.buffer
	before := cap(r.buffer)
	if r.keep(memory.MaxBuffer); cap(r.buffer) > before {
		t.Errorf("the buffer has grown from %d to %d bytes before anything has come", before, cap(r.buffer))
	}
}
