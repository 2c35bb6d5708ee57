package protocol

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
	"testing"
)

// maxData is the MaxData of the tests.
const maxData = 4096

// verdict describes what the parser made of a request:
//
//	forward "get a\r\n"       to an upstream, as it is quoted
//	quiet forward "…"         the same; the client wants silence
//	forward "get a" more      the same, and further keys follow
//	carry out push k "a b"    a verb: its key, words and data
//	refuse ERROR              answer that, forward nothing
//	hang up CLIENT_ERROR …    answer that and close
func verdict(req *Request, status Status) string {
	var b strings.Builder
	if req.Quiet {
		b.WriteString("quiet ")
	}
	switch {
	case status == Broken:
		fmt.Fprintf(&b, "hang up %s", req.Refusal)
	case req.Refusal != "":
		fmt.Fprintf(&b, "refuse %s", req.Refusal)
		if req.Command.Retrieval() && req.NumWords > 0 {
			fmt.Fprintf(&b, ", having asked %s", quote(req.Words))
		}
	case req.Verb != nil:
		fmt.Fprintf(&b, "carry out %s %s %s", req.Name(), req.Key, quote(req.Words))
		if req.Verb.Block {
			fmt.Fprintf(&b, " %d %d %s", req.Flags, req.When, quote(req.Data))
		}
	default:
		b.WriteString("forward " + quote(req.AppendTo(nil)))
		if req.More {
			b.WriteString(" more")
		}
	}
	if r := req.KeyReturn; r != nil {
		fmt.Fprintf(&b, ", key behind %d or %d", r.AfterHit, r.AfterMiss)
	}
	if req.Unlink {
		b.WriteString(", unlink")
	}
	return b.String()
}

// quote quotes b; if it is long, the middle is replaced by a checksum.
func quote(b []byte) string {
	if len(b) < 1000 {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%q…%08x…%q of %d", b[:20], crc32.ChecksumIEEE(b), b[len(b)-20:], len(b))
}

// reader parses a stream as the proxy does: bytes that Next has not consumed are passed
// again, followed by those that have arrived since.
type reader struct {
	t        testing.TB
	parser   Parser
	buf      []byte
	verdicts []string
	broken   bool
	moves    bool           // move each request to other memory before looking at it
	each     func(*Request) // called with each complete request
}

func newReader(t testing.TB) *reader {
	return &reader{t: t, parser: Parser{MaxData: maxData, Verbs: testVerbs}}
}

// feed passes the bytes that have arrived.
func (r *reader) feed(piece []byte) {
	r.t.Helper()
	r.buf = append(r.buf, piece...)
	for !r.broken {
		var req Request
		n, status := r.parser.Next(r.buf, &req)
		if n < 0 || n > len(r.buf) {
			r.t.Fatalf("%d bytes used of %q", n, r.buf)
		}
		if n == 0 && status == Ready {
			r.t.Fatalf("a request of no bytes at %q", r.buf)
		}
		rest := len(r.buf) - n
		if need := r.parser.Need; need > 0 && (status != Partial || need <= rest || need > MaxLine+r.parser.MaxData+2) {
			r.t.Fatalf("%d bytes needed with status %d and %d bytes at hand", need, status, rest)
		}
		if status == Ready && r.moves {
			to := bytes.Clone(r.buf[:n])
			req.Move(r.buf, to)
			clear(r.buf[:n])
		}
		if status == Ready && r.each != nil {
			r.each(&req)
		}
		if status != Partial {
			r.verdicts = append(r.verdicts, verdict(&req, status))
		}
		for i := range n {
			r.buf[i] = '#' // nothing may refer to consumed bytes
		}
		r.buf = r.buf[n:]
		r.broken = status == Broken
		if status == Partial {
			return
		}
	}
}

// end adds the state of the stream at its end and returns all verdicts.
func (r *reader) end() []string {
	switch {
	case r.broken:
	case r.parser.Swallowing():
		return append(r.verdicts, "swallowing")
	case len(r.buf) > 0:
		return append(r.verdicts, "waiting")
	}
	return r.verdicts
}

// verdicts parses a stream that arrives in one piece.
func verdicts(t testing.TB, stream string) []string {
	t.Helper()
	r := newReader(t)
	r.feed([]byte(stream))
	return r.end()
}

// parse parses a stream of one request.
func parse(t testing.TB, stream string) Request {
	t.Helper()
	p := Parser{MaxData: maxData, Verbs: testVerbs}
	var req Request
	if n, status := p.Next([]byte(stream), &req); n != len(stream) || status != Ready {
		t.Fatalf("%q: status %d after %d of %d bytes", stream, status, n, len(stream))
	}
	return req
}

var (
	key250 = strings.Repeat("k", MaxKey)
	key251 = key250 + "k"
)
