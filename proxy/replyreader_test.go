package proxy

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// readAll feeds stream in pieces of the given size, as replies to a request of
// command each, and returns the replies as text.
func readAll(t *testing.T, command protocol.Command, stream []byte, piece, limit int) (replies []string) {
	t.Helper()
	var p pool
	r := replyReader{pool: &p, limit: limit}
	request := pending{command: command}
	read := make([]byte, 0, piece)
	for len(stream) > 0 {
		n := min(piece, len(stream))
		read = append(read[:0], stream[:n]...) // reused, as gnet's buffer is
		stream = stream[n:]
		r.feed(read)
		for r.more() {
			ready, err := r.next(&request)
			if err != nil {
				return append(replies, "error: "+err.Error())
			}
			if !ready {
				break
			}
			a := r.take()
			text := string(a.data)
			if r.oversize > 0 {
				text = fmt.Sprintf("oversize %d", r.oversize)
			}
			replies = append(replies, text)
			if a.whole != nil {
				a.taken = true
				p.put(a.whole)
			}
			r.done(&a)
		}
		r.leave()
	}
	r.reset()
	if p.inUse != 0 {
		t.Errorf("pieces of %d: %d bytes of buffers are still out", piece, p.inUse)
	}
	return replies
}

func TestReplyReaderAnySplit(t *testing.T) {
	value := "VALUE k 0 20000\r\n" + strings.Repeat("v", 20000) + "\r\n"
	large := "VALUE k 0 50000\r\n" + strings.Repeat("v", 50000) + "\r\n"
	for _, test := range []struct {
		command protocol.Command
		replies []string
		see     []string // what is delivered, if not replies
	}{
		{protocol.Get, []string{"END\r\n", "VALUE a 0 3\r\nabc\r\nEND\r\n", "SERVER_ERROR x\r\n", value + value + "END\r\n", "END\r\n", value + "END\r\n"}, nil},
		{protocol.Set, []string{"STORED\r\n", "NOT_STORED\r\n", "SERVER_ERROR out of memory\r\n"}, nil},
		{protocol.MetaGet, []string{"EN\r\n", "VA 3 t5\r\nabc\r\n", "HD c1\r\n"}, nil},
		{protocol.Get, []string{value + large + value + "END\r\n", "END\r\n"}, []string{"oversize 50019", "END\r\n"}},
		{protocol.MetaGet, []string{"HD\r\n", "VA 40000\r\n" + strings.Repeat("v", 40000) + "\r\n", "HD\r\n"}, []string{"HD\r\n", "oversize 40012", "HD\r\n"}},
		{protocol.Set, []string{"STORED\r\n", "HD\r\n"}, []string{"STORED\r\n", "error: " + errKind.Error()}},
		{protocol.Get, []string{"END\r\n", "VALUE a 0 3\r\nabcd\r\n"}, []string{"END\r\n", "error: " + protocol.ErrReplySize.Error()}},
		{protocol.Get, []string{"rubbish\r\n"}, []string{"error: " + protocol.ErrReplyLine.Error()}},
	} {
		stream := []byte(strings.Join(test.replies, ""))
		see := test.see
		if see == nil {
			see = test.replies
		}
		for _, piece := range []int{1, 2, 3, 7, 64, 1000, 4096, 19999, 65536, 1 << 20} {
			got := readAll(t, test.command, stream, piece, 30000)
			if fmt.Sprint(got) != fmt.Sprint(see) {
				t.Fatalf("%v in pieces of %d: got %.200q, expected %.200q", test.command, piece, got, see)
			}
		}
	}
}

func TestReplyReaderChecksTheKey(t *testing.T) {
	var p pool
	r := replyReader{pool: &p, limit: 1 << 20}
	r.feed([]byte("VALUE b 0 1\r\nx\r\nEND\r\n"))
	if _, err := r.next(&pending{command: protocol.Get, key: hashKey([]byte("a"))}); err != errKey {
		t.Fatalf("a value under another key: %v, expected %v", err, errKey)
	}
}

// A length that is only announced must not cost memory.
func TestReplyReaderTakesNoMemoryInAdvance(t *testing.T) {
	var p pool
	r := replyReader{pool: &p, limit: 1 << 30}
	r.feed([]byte("VALUE a 0 500000000\r\nx"))
	if ready, err := r.next(&pending{command: protocol.Get}); ready || err != nil {
		t.Fatalf("ready %v, error %v", ready, err)
	}
	if p.inUse > 1024 {
		t.Fatalf("%d bytes are held for 22 received", p.inUse)
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
		whole := readAll(t, protocol.Command(command), bytes.Clone(stream), len(stream)+1, 1<<30)
		pieces := readAll(t, protocol.Command(command), bytes.Clone(stream), piece, 1<<30)
		if fmt.Sprint(whole) != fmt.Sprint(pieces) {
			t.Fatalf("whole %q, in pieces of %d %q", whole, piece, pieces)
		}
	})
}
