package protocol

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

// FuzzRequest: a stream never makes the parser panic or ask for too much, is
// read alike however it is cut, and what is forwarded of it is safe.
func FuzzRequest(f *testing.F) {
	for _, stream := range streams() {
		f.Add([]byte(stream), uint16(5), uint16(MaxLine), uint8(0))
	}
	for i, test := range requests {
		f.Add([]byte(test.typed), uint16(i), uint16(1), uint8(i))
	}
	for i, test := range record {
		f.Add([]byte(expand.Replace(test.typed)), uint16(i), uint16(0), uint8(i))
	}
	f.Fuzz(func(t *testing.T, stream []byte, first, size uint16, keys uint8) {
		whole := newReader(t)
		whole.parser.MaxKeys = int(keys)
		whole.each = func(req *Request) { checkSafe(t, req) }
		whole.feed(stream)

		pieces := newReader(t)
		pieces.parser.MaxKeys = int(keys)
		cut := min(int(first), len(stream))
		pieces.feed(stream[:cut])
		for piece := range slices.Chunk(stream[cut:], max(int(size), 1+len(stream)/500)) {
			pieces.feed(piece)
		}
		if got, want := pieces.end(), whole.end(); !slices.Equal(got, want) {
			t.Errorf("in pieces %q\nbut whole %q", got, want)
		}
	})
}

// checkSafe checks, without the parser's help, that memcached will answer what
// is forwarded of req exactly once.
func checkSafe(t *testing.T, req *Request) {
	if req.Refusal != "" || req.Command.Verb() || req.Command == Admin {
		return
	}
	if !req.Forwardable() {
		for _, key := range strings.FieldsFunc(string(req.Words), func(r rune) bool { return r == ' ' }) {
			if len(key) > MaxKey || strings.ContainsAny(key, "\x00\n") {
				t.Errorf("key %q", key)
			}
		}
		return
	}
	wire := string(req.AppendTo(nil))
	if len(wire) > req.Len() {
		t.Errorf("%d bytes, %d announced: %q", len(wire), req.Len(), wire)
	}
	line, data, ended := strings.Cut(wire, "\n")
	if !ended || len(line) >= MaxLine || strings.ContainsRune(line, 0) {
		t.Fatalf("line %q", line)
	}
	words := strings.FieldsFunc(strings.TrimSuffix(line, "\r"), func(r rune) bool { return r == ' ' })
	if words[0] != req.Command.String() {
		t.Errorf("%s became %q", req.Command, words)
	}
	var flags []string
	length := ""
	switch c := req.Command; {
	case c == MetaSet:
		length, flags = words[2], words[3:]
		if len(flags) > 16 {
			t.Errorf("%d flags: %q", len(flags), line)
		}
	case c.Meta() && c != MetaDebug:
		flags = words[2:]
	case c.Storage():
		length = words[4]
		if c == Cas && len(words) != 6 && len(words) != 7 || c != Cas && len(words) != 5 && len(words) != 6 {
			t.Errorf("%d words: %q", len(words), line)
		}
	}
	silent := knowsNoreply(req.Command) && words[len(words)-1] == "noreply" && len(words) > 2
	for _, flag := range flags {
		silent = silent || flag[0] == 'q'
	}
	if silent != req.Elusive {
		t.Errorf("asks for silence: %q", line)
	}
	if length == "" {
		if data != "" {
			t.Errorf("data %q behind %q", data, line)
		}
		return
	}
	n, ok := ParseUint([]byte(length))
	if !ok || n > maxData || uint64(len(data)) != n+2 || strings.HasSuffix(data, "\r\n") == req.BadEnd || data[:n] != string(req.Data) {
		t.Errorf("data %q behind %q", data, line)
	}
	if len(words[1]) > MaxKey {
		t.Errorf("key of %d bytes with data", len(words[1]))
	}
}

// knowsNoreply reports whether memcached would take a last word noreply for the
// option.
func knowsNoreply(c Command) bool {
	switch c {
	case Set, Add, Replace, Append, Prepend, Cas, Delete, Incr, Decr, Touch, FlushAll, Verbosity:
		return true
	}
	return false
}

// FuzzRoundTrip: what is forwarded is, read again, the same request.
func FuzzRoundTrip(f *testing.F) {
	for _, stream := range streams() {
		f.Add([]byte(stream))
	}
	for _, test := range requests {
		f.Add([]byte(test.typed))
	}
	for _, test := range record {
		f.Add([]byte(expand.Replace(test.typed)))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := newReader(t)
		r.each = func(req *Request) {
			if req.Refusal == "" && req.Forwardable() && (!req.Command.Verb() || !req.Quiet) {
				checkRoundTrip(t, req)
			}
		}
		r.feed(stream)
	})
}

func checkRoundTrip(t *testing.T, req *Request) {
	wire := req.AppendTo(nil)
	p := Parser{MaxData: maxData}
	var again Request
	n, status := p.Next(wire, &again)
	if status != Ready || n != len(wire) || again.Refusal != "" || again.Quiet {
		t.Fatalf("%q: status %d after %d bytes, %q", wire, status, n, again.Refusal)
	}
	if again.Command != req.Command || again.NumWords != req.NumWords || again.More != req.More ||
		again.Flags != req.Flags || again.When != req.When ||
		!bytes.Equal(again.Key, req.Key) || !bytes.Equal(again.Data, req.Data) || !bytes.Equal(again.Exptime, req.Exptime) ||
		!bytes.Equal(bytes.TrimRight(again.Words, " "), bytes.TrimRight(req.Words, " ")) {
		t.Fatalf("%q: %+v became %+v", wire, *req, again)
	}
	if twice := again.AppendTo(nil); !bytes.Equal(twice, wire) {
		t.Fatalf("%q became %q", wire, twice)
	}
}

// FuzzReply: no bytes make ParseReply panic, and a reply that has come in part
// is awaited, not misread.
func FuzzReply(f *testing.F) {
	for _, wire := range []string{
		hotValue + hotEnd, hotStored, hotMeta, "VA 5 c1\r\nhello\r\nMN\r\n", "VALUE a 0 2 7\r\nhi\r\nEND\r\n",
		"VALUE a 0 2\r\nhix\n", "18446744073709551615\r\n", "SERVER_ERROR out of memory storing object\r\n", "VERSION 1.6.38\r\n",
		"VA 99999999999\r\n", "VALUE\r\n", "\r\n", "nonsense\r\n", strings.Repeat("x", MaxLine+1), "ME a exp=-1 la=2\r\n",
		"HD O" + strings.Repeat("x", MaxLine) + "\r\n",
	} {
		f.Add([]byte(wire), uint16(3))
	}
	f.Fuzz(func(t *testing.T, buf []byte, cut uint16) {
		var whole, part Reply
		n, need, err := ParseReply(buf, &whole)
		switch {
		case n < 0 || n > len(buf):
			t.Fatalf("%d of %d bytes", n, len(buf))
		case err != nil && (n != 0 || need != 0 || !errors.Is(err, ErrReplyLine) && !errors.Is(err, ErrReplySize)):
			t.Fatalf("%d, %d, %v", n, need, err)
		case n > 0 && need != 0, need != 0 && need <= len(buf), need > MaxLine+maxBlock+2:
			t.Fatalf("%d bytes, %d needed, of %d", n, need, len(buf))
		case n > 0 && (whole.Kind == 0 || len(whole.Line)+len(whole.Data) > n):
			t.Fatalf("%+v", whole)
		}
		size := min(int(cut), len(buf))
		m, wanted, early := ParseReply(buf[:size], &part)
		switch {
		case early != nil && !errors.Is(err, early):
			t.Fatalf("cut at %d: %v, whole: %v", size, early, err)
		case m != 0 && m != n:
			t.Fatalf("cut at %d: %d bytes, whole: %d", size, m, n)
		case m == 0 && early == nil && n > 0 && n <= size:
			t.Fatalf("cut at %d: nothing, whole: %d", size, n)
		case wanted != 0 && n != 0 && wanted != n, wanted != 0 && need != 0 && wanted != need:
			t.Fatalf("cut at %d: %d needed, whole: %d, %d", size, wanted, n, need)
		}
	})
}
