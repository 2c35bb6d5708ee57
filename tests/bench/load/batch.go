//go:build linux

package load

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"github.com/memverbs/memverbs/tests/bench/resp"
)

// Source makes requests. Threads share it.
type Source interface {
	// Next adds one request to the batch, and the reply expected to it.
	Next(b *Batch, random *rand.PCG)
}

// Batch is the requests that are sent on a connection at a time, and the replies that
// are expected.
type Batch struct {
	volley
	then     *Batch        // what is sent when all that is answered
	scan     *resp.Scanner // of a reply that is not known byte for byte
	at       int           // the piece that is received next
	off      int           // how much of that has been received
	refused  bool          // in the middle of a SERVER_ERROR line
	failed   uint64        // requests answered so
	requests uint64
}

// volley is what is sent at a time, and the replies.
type volley struct {
	out  []byte // what is to be sent yet
	buf  []byte // where out is if it had to be put together
	want []piece
}

// piece is a piece of a reply.
type piece struct {
	text  []byte
	any   int        // instead of text: how many bytes there are, whichever
	line  bool       // or a line that begins with a digit
	reply *resp.Want // or that
	last  bool       // of the reply
}

// Send adds text to what is sent. It may be kept until it is answered, and must
// not change.
func (b *Batch) Send(text []byte) {
	switch {
	case len(b.out) == 0:
		b.out = text // one that is alone is not copied
		return
	case len(b.buf) == 0:
		b.buf = append(b.buf, b.out...)
	}
	b.buf = append(b.buf, text...)
	b.out = b.buf
}

// Expect adds text to the reply expected. More of it follows.
func (b *Batch) Expect(text []byte) { b.want = append(b.want, piece{text: text}) }

// ExpectAny adds so many bytes to the reply expected, whichever they are. More of it
// follows.
func (b *Batch) ExpectAny(n int) { b.want = append(b.want, piece{any: n}) }

// ExpectLast adds text that a reply ends with.
func (b *Batch) ExpectLast(text []byte) {
	b.want = append(b.want, piece{text: text, last: true})
	b.requests++
}

// ExpectNumbers adds a reply that is a line of numbers, whichever they are.
func (b *Batch) ExpectNumbers() {
	b.want = append(b.want, piece{line: true, last: true})
	b.requests++
}

// ExpectReply adds a reply of Valkey that is not known byte for byte. It may be
// kept until it has come, and must not change.
func (b *Batch) ExpectReply(reply *resp.Want) {
	if b.scan == nil {
		b.scan = new(resp.Scanner)
	}
	b.want = append(b.want, piece{reply: reply, last: true})
	b.requests++
}

// Then returns the batch that is sent when all of this one is answered, for what takes
// a client two requests, one after the other. They count as one.
func (b *Batch) Then() *Batch {
	if b.then == nil {
		b.then = new(Batch)
	}
	return b.then
}

// reset empties the batch.
func (b *Batch) reset() {
	if b.then != nil {
		b.then.reset()
	}
	*b = Batch{volley: volley{buf: b.buf[:0], want: b.want[:0]}, then: b.then, scan: b.scan}
}

// answered reports whether all that was sent is.
func (b *Batch) answered() bool { return b.at == len(b.want) && !b.refused }

// goOn replaces the batch by the one that is sent then, and reports whether there is one.
func (b *Batch) goOn() bool {
	if b.then == nil || len(b.then.want) == 0 {
		return false
	}
	b.volley, b.then.volley = b.then.volley, volley{buf: b.buf[:0], want: b.want[:0]}
	if b.scan == nil {
		b.scan = b.then.scan
	}
	b.at, b.off = 0, 0
	return true
}

// take compares what came with what is expected.
func (b *Batch) take(came []byte) error {
	for len(came) > 0 {
		if b.refused {
			i := bytes.IndexByte(came, '\n')
			if i < 0 {
				return nil
			}
			came, b.refused = came[i+1:], false
			continue
		}
		if b.at == len(b.want) {
			return fmt.Errorf("a reply that nobody waits for: %q", clip(came))
		}
		if reply := b.want[b.at].reply; reply != nil {
			n, done, err := b.scan.Scan(came, reply)
			if err != nil {
				return err
			}
			if came = came[n:]; done {
				b.at++
			}
			continue
		}
		if b.want[b.at].line {
			if b.off == 0 && (came[0] < '0' || came[0] > '9') {
				if err := b.refuse(came); err != nil {
					return err
				}
				continue
			}
			came = b.takeLine(came)
			continue
		}
		if n := min(b.want[b.at].any-b.off, len(came)); n > 0 {
			came = came[n:]
			b.advance(n, b.want[b.at].any)
			continue
		}
		want := b.want[b.at].text[b.off:]
		n := min(len(want), len(came))
		if !bytes.Equal(came[:n], want[:n]) {
			if err := b.refuse(came); err != nil {
				return err
			}
			continue
		}
		came = came[n:]
		b.advance(n, len(b.want[b.at].text))
	}
	return nil
}

// takeLine takes as much of a line as came, and returns what came after it.
func (b *Batch) takeLine(came []byte) (rest []byte) {
	i := bytes.IndexByte(came, '\n')
	if i < 0 {
		b.off += len(came)
		return nil
	}
	b.at, b.off = b.at+1, 0
	return came[i+1:]
}

// advance goes on by n bytes in the piece that comes next, which has so many.
func (b *Batch) advance(n, of int) {
	if b.off += n; b.off == of {
		b.at, b.off = b.at+1, 0
	}
}

// refuse is called with what was received in place of the expected reply. If that is a
// SERVER_ERROR, it goes on after the request that is refused. Otherwise it fails, since
// replies are mixed up.
func (b *Batch) refuse(came []byte) error {
	const word = "SERVER_ERROR"
	want := b.want[b.at].text
	got := append(bytes.Clone(want[:b.off]), clip(came)...) // STORED begins as SERVER_ERROR does
	if n := min(len(got), len(word)); string(got[:n]) != word[:n] {
		return fmt.Errorf("%q… instead of %q…", clip(got), clip(want))
	}
	b.failed++
	b.refused = true
	b.off = 0
	for b.at++; !b.want[b.at-1].last; b.at++ { // one line for all the pieces
	}
	return nil
}

// clip returns the beginning of text, for messages.
func clip(text []byte) []byte { return text[:min(len(text), 60)] }
