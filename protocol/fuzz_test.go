package protocol

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// FuzzRequest: no stream makes the parser panic or ask for too much; a stream is parsed
// alike however it is split and wherever requests are moved; and what is forwarded is safe.
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
		pieces.parser.MaxKeys, pieces.moves = int(keys), true
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

// canonical matches what may be sent to an upstream: requests that every version of
// memcached reads alike and answers once.
var canonical = func() *regexp.Regexp {
	const key, uint, int32 = `[^ \n\x00]{1,250}`, `(0|[1-9][0-9]{0,19})`, `(0|-?[1-9][0-9]{0,9})`
	const flag = `( ([bcfhIklstuvx]|[NRT]` + int32 + `|[CEJD]` + uint + `|F` + uint + `|O[^ \n\x00]{0,31}|[LP][^ \n\x00]*|M[SEARPI+D-]))`
	return regexp.MustCompile(`(?s)^(` + strings.Join([]string{
		`gets?( ` + key + `)+`,
		`gats? ` + int32 + `( ` + key + `)+`,
		`(set|add|replace|append|prepend) ` + key + ` ` + uint + ` ` + int32 + ` ` + uint,
		`cas ` + key + ` ` + uint + ` ` + int32 + ` ` + uint + ` ` + uint,
		`delete ` + key,
		`me ` + key + `( b v)?`,
		`delete noreply 0`,
		`(incr|decr) ` + key + ` ` + uint,
		`touch ` + key + ` ` + int32,
		`m[gda] ` + key + flag + `{0,17}`,
		`ms ` + key + ` ` + uint + flag + `{0,16}`,
		`flush_all( ` + int32 + `)?`,
	}, `|`) + `)\r\n`)
}()

// forwarded reports whether req is forwarded to an upstream.
func forwarded(req *Request) bool {
	return req.Refusal == "" && req.Verb == nil && (len(req.Key) > 0 || req.Command == FlushAll)
}

// checkSafe checks the forwarded form of req without using the parser.
func checkSafe(t *testing.T, req *Request) {
	if !forwarded(req) {
		return
	}
	wire := string(req.AppendTo(nil))
	if len(wire) > req.Len() {
		t.Errorf("%d bytes, %d announced: %q", len(wire), req.Len(), wire)
	}
	line := canonical.FindString(wire)
	if line == "" || line == "delete noreply\r\n" {
		t.Fatalf("forwarded: %q", wire)
	}
	want := ""
	if req.Command.Storage() {
		want = string(req.Data) + "\r\n"
	}
	if data := wire[len(line):]; data != want {
		t.Fatalf("data %q behind %q", data, line)
	}
	words := strings.Split(strings.TrimSuffix(line, "\r\n"), " ")
	if at := map[bool]int{true: 4, false: 2}[req.Command != MetaSet]; req.Command.Storage() && words[at] != strconv.Itoa(len(req.Data)) {
		t.Fatalf("%d bytes of data behind %q", len(req.Data), line)
	}
	if len(line) >= MaxLine && !req.Command.Retrieval() {
		t.Fatalf("a line of %d bytes: %q", len(line), line)
	}
}

// FuzzRoundTrip: the forwarded form of a request parses to the same request.
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
	f.Add([]byte("get first:short" + strings.Repeat(" some:longer:key", 200) + "\r\n")) // with a space as the last byte of MaxLine
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := newReader(t)
		r.each = func(req *Request) {
			switch {
			case !forwarded(req):
			case (req.Command == Get || req.Command == Gets) && len(req.AppendTo(nil)) > MaxLine:
				checkPartsRoundTrip(t, req)
			default:
				checkRoundTrip(t, req)
			}
		}
		r.feed(stream)
	})
}

func checkRoundTrip(t *testing.T, req *Request) {
	wire := req.AppendTo(nil)
	p := Parser{MaxData: maxData, Verbs: testVerbs}
	var again Request
	n, status := p.Next(wire, &again)
	if status != Ready || n != len(wire) || again.Refusal != "" || again.Quiet {
		t.Fatalf("%q: status %d after %d bytes, %q", wire, status, n, again.Refusal)
	}
	if !again.Command.Retrieval() { // other commands don't forward every word
		again.Words, again.NumWords = req.Words, req.NumWords
	}
	if again.Command != req.Command || again.NumWords != req.NumWords ||
		again.Flags != req.Flags || again.Exptime != req.Exptime || again.Number != req.Number || again.Mode != req.Mode ||
		!bytes.Equal(again.Key, req.Key) || !bytes.Equal(again.Data, req.Data) ||
		!slices.EqualFunc(bytes.Fields(again.Words), bytes.Fields(req.Words), bytes.Equal) {
		t.Fatalf("%q: %+v became %+v", wire, *req, again)
	}
	if twice := again.AppendTo(nil); !bytes.Equal(twice, wire) {
		t.Fatalf("%q became %q", wire, twice)
	}
}

// checkPartsRoundTrip checks a get whose line exceeds MaxLine and is therefore parsed
// in parts. memcached accepts such lines of get and gets only.
func checkPartsRoundTrip(t *testing.T, req *Request) {
	wire := req.AppendTo(nil)
	p := Parser{MaxData: maxData, Verbs: testVerbs}
	var words [][]byte
	for rest := wire; len(rest) > 0; {
		var part Request
		n, status := p.Next(rest, &part)
		if status != Ready || part.Refusal != "" || part.Command != req.Command || part.Exptime != req.Exptime {
			t.Fatalf("%q: status %d, %+v became %+v", wire, status, *req, part)
		}
		words, rest = append(words, bytes.Fields(part.Words)...), rest[n:]
	}
	if !slices.EqualFunc(words, bytes.Fields(req.Words), bytes.Equal) {
		t.Fatalf("%q became %q", req.Words, words)
	}
}

// FuzzReply: no bytes make ParseReply panic, and an incomplete reply is awaited, not
// misread.
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
		if cut := CutValue(buf, whole.Key); n > 0 && whole.Kind == ReplyValue && cut != n {
			t.Fatalf("the value of %q is %d bytes long, of which %d are cut", whole.Key, n, cut)
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
