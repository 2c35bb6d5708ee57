package protocol

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// as stands for a request that is forwarded unchanged.
const as = "forward as typed"

// requests has, for each command, requests that are forwarded unchanged, rewritten, or
// refused.
var requests = []struct {
	typed string
	want  []string
}{
	// Retrieval.
	{"get a\r\n", []string{as}},
	{"gets a b c\r\n", []string{as}},
	{"gat 60 a\r\n", []string{as}},
	{"gats -1 a b\r\n", []string{as}},
	{"get " + key250 + "\r\n", []string{as}},
	{"get\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"gat\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"gats soon a\r\n", []string{"refuse CLIENT_ERROR invalid exptime argument"}},
	{"get a " + key251 + "\r\n", []string{`refuse CLIENT_ERROR bad command line format, having asked "a"`}},
	{"get" + strings.Repeat(" a", MaxKeys+1) + " " + key251 + "\r\n", []string{`refuse CLIENT_ERROR bad command line format, having asked "a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a"`}},

	// Storage.
	{"set a 1 60 5\r\nhello\r\n", []string{as}},
	{"add a 0 0 0\r\n\r\n", []string{as}},
	{"replace a 0 0 4\r\n\r\n\r\n\r\n", []string{as}},
	{"append a 0 0 1\r\nx\r\n", []string{as}},
	{"prepend a 0 0 1\r\nx\r\n", []string{as}},
	{"cas a 1 2 1 3\r\nx\r\n", []string{as}},
	{"set a 1 60 5 noreply\r\nhello\r\n", []string{`quiet forward "set a 1 60 5\r\nhello\r\n"`}},
	{"cas a 1 2 1 3 noreply\r\nx\r\n", []string{`quiet forward "cas a 1 2 1 3\r\nx\r\n"`}},
	{"set a 0 0\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"set a 0 0 x\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"set a 0 0 4\r\nabcdef\r\n", []string{"refuse CLIENT_ERROR bad data chunk", "refuse CLIENT_ERROR bad command line format"}},
	{"blob l 0 4\r\nabcdef\r\n", []string{"refuse CLIENT_ERROR bad data chunk", "refuse CLIENT_ERROR bad command line format"}},

	// The data of a refused block is not parsed as commands.
	{"set a -1 0 6\r\nquit\r\n\r\nmn\r\n", []string{"refuse CLIENT_ERROR bad command line format", `forward "mn\r\n"`}},
	{"add a 0 0 4097\r\n" + strings.Repeat("quit\r\n", 683)[:4097] + "\r\nmn\r\n",
		[]string{"refuse SERVER_ERROR object too large for cache", `forward "mn\r\n"`}},
	{"set a 0 0 9999 noreply\r\n", []string{"quiet refuse SERVER_ERROR object too large for cache, unlink", "swallowing"}},
	{"ms a 9999 q\r\n", []string{"quiet refuse SERVER_ERROR object too large for cache, unlink", "swallowing"}},
	{"ms YSBi 9999 b\r\n", []string{"refuse SERVER_ERROR object too large for cache, unlink", "swallowing"}},
	{"ms a\x01 9999 ME\r\n", []string{"refuse SERVER_ERROR object too large for cache, unlink", "swallowing"}},
	{"ms a 9999 T1 k q v !\r\n", []string{"refuse CLIENT_ERROR bad command line format", "swallowing"}},
	{"ms a 9999 k k q\r\n", []string{"refuse CLIENT_ERROR duplicate flag", "swallowing"}},
	{"ms a 9999 Tx Fx\r\n", []string{"refuse CLIENT_ERROR bad token in command line format", "swallowing"}},
	{"ms a 9999 Fx\r\n", []string{"refuse CLIENT_ERROR bad command line format", "swallowing"}},
	{"ms a 9999 Jx\r\n", []string{"refuse CLIENT_ERROR invalid numeric initial value", "swallowing"}},
	{"ms a 9999 C1 E2 Dx\r\n", []string{"refuse CLIENT_ERROR invalid numeric delta value", "swallowing"}},
	{"ms a 9999 E5 x\r\n", []string{"refuse SERVER_ERROR object too large for cache, unlink", "swallowing"}},
	{"ms a 9999 MSS\r\n", []string{"refuse SERVER_ERROR object too large for cache, unlink", "swallowing"}},
	{"ms a 9999 MX O" + strings.Repeat("o", 32) + "\r\n", []string{"refuse CLIENT_ERROR invalid mode for ms M token", "swallowing"}},
	{"ms a 9999 O" + strings.Repeat("o", 32) + "\r\n", []string{"refuse CLIENT_ERROR opaque token too long", "swallowing"}},
	{"ms !!! 9999 b\r\n", []string{"refuse CLIENT_ERROR error decoding key", "swallowing"}},
	{"ms a 9999\t MA\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"cas a 0 0 9999 1\r\n", []string{"refuse SERVER_ERROR object too large for cache", "swallowing"}},

	// One line.
	{"delete a\r\n", []string{as}},
	{"delete a 0\r\n", []string{`forward "delete a\r\n"`}},
	{"delete a noreply\r\n", []string{`quiet forward "delete a\r\n"`}},
	{"delete noreply\r\n", []string{`forward "delete noreply 0\r\n"`}},
	{"delete\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"incr a 5\r\n", []string{as}},
	{"decr a 5 noreply\r\n", []string{`quiet forward "decr a 5\r\n"`}},
	{"incr a\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"touch a 60\r\n", []string{as}},
	{"touch a 60 noreply\r\n", []string{`quiet forward "touch a 60\r\n"`}},
	{"touch a noreply\r\n", []string{"quiet refuse CLIENT_ERROR invalid exptime argument"}},

	// Meta.
	{"mg a v k\r\n", []string{as}},
	{"mg a v q k\r\n", []string{`quiet forward "mg a v k\r\n"`}},
	{"mg a q\r\n", []string{`quiet forward "mg a\r\n"`}},
	{"ms a 5 T60 F1\r\nhello\r\n", []string{as}},
	{"ms a 5 q T60\r\nhello\r\n", []string{`quiet forward "ms a 5 T60\r\nhello\r\n"`}},
	{"md a q\r\n", []string{`quiet forward "md a\r\n"`}},
	{"ma a D5 q v\r\n", []string{`quiet forward "ma a D5 v\r\n"`}},
	{"me a\r\n", []string{as}},
	{"me a q\r\n", []string{`forward "me a\r\n"`}},
	{"mg\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"me\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"ms a\r\n", []string{"refuse CLIENT_ERROR bad command line format"}},
	{"mg a q v q\r\n", []string{"quiet refuse CLIENT_ERROR duplicate flag"}},

	// Without a key.
	{"mn\r\n", []string{as}},
	{"version\r\n", []string{as}},
	{"stats settings\r\n", []string{`forward "stats\r\n"`}},
	{"quit\r\n", []string{as}},
	{"flush_all\r\n", []string{as}},
	{"flush_all 10\r\n", []string{as}},
	{"flush_all 10 noreply\r\n", []string{`quiet forward "flush_all 10\r\n"`}},
	{"verbosity 1 noreply\r\n", []string{`quiet forward "verbosity\r\n"`}},

	// Verbs.
	{"push k a b\r\n", []string{`carry out push k "a b"`}},
	{"push k a b noreply\r\n", []string{`quiet carry out push k "a b"`}},
	{"push k noreply noreply\r\n", []string{`quiet carry out push k "noreply"`}},
	{"push k noreply a\r\n", []string{`carry out push k "noreply a"`}},
	{"push k\r\n", []string{"refuse " + errFormat}},
	{"push k a\x00b\r\n", []string{"refuse " + errFormat}},
	{"blob l -500 5\r\nhello\r\n", []string{`carry out blob l "" 0 -500 "hello"`}},
	{"blob l 0 5 noreply\r\nhello\r\n", []string{`quiet carry out blob l "" 0 0 "hello"`}},
	{"blob l 0\r\n", []string{"refuse " + errFormat}},
	{"blob l soon 4\r\nquit\r\nmn\r\n", []string{"refuse " + errFormat + skipped, `forward "mn\r\n"`}},
	{"blob l 0 many\r\n", []string{"refuse " + errFormat}},
	{"blob l 0 9999\r\n", []string{"refuse SERVER_ERROR object too large for cache", "swallowing"}},

	// Commands for a single memcached.
	{"slabs automove 1\r\n", []string{"refuse CLIENT_ERROR this command administers a single memcached; send it to that server itself"}},
	{"foo bar noreply\r\n", []string{"quiet refuse ERROR"}},
	{"foo bar\r\n", []string{"refuse ERROR"}},

	// Other protocols.
	{"mn\r\n\x80\r\n", []string{`forward "mn\r\n"`, "refuse CLIENT_ERROR bad command line format"}},
	{"POST HTTP/1.1\r\n", []string{"hang up " + errHTTP}},
	{"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", []string{"hang up " + errHTTP}},
}

func TestRequests(t *testing.T) {
	for _, test := range requests {
		want := slices.Clone(test.want)
		if want[0] == as {
			want[0] = "forward " + quote([]byte(test.typed))
		}
		if got := verdicts(t, test.typed); !slices.Equal(got, want) {
			t.Errorf("%.80q:\n got %.200q\nwant %.200q", test.typed, got, want)
		}
	}
}

// The table has every command that can be refused or silenced.
func TestRequestsComplete(t *testing.T) {
	var seen [NumCommands]bool
	for _, test := range requests {
		word, _, _ := strings.Cut(strings.TrimSpace(test.typed), " ")
		p := Parser{Verbs: testVerbs}
		command, _ := p.lookup([]byte(word))
		seen[command] = true
	}
	for c, ok := range seen {
		if !ok && Command(c) != Auth { // which no word asks for
			t.Errorf("no request for %s", Command(c))
		}
	}
}

func TestRequestFields(t *testing.T) {
	req := parse(t, "gats 60  a  b \r\n")
	if string(req.Key) != "a" || string(req.Words) != " a  b " || req.NumWords != 2 || req.Exptime != 60 {
		t.Errorf("gats: %+v", req)
	}
	req = parse(t, "set a 0 0 5\r\nhello\r\n")
	if string(req.Key) != "a" || string(req.Data) != "hello" || req.NumWords != 0 {
		t.Errorf("set: %+v", req)
	}
	req = parse(t, "push k a b noreply\r\n")
	if string(req.Key) != "k" || string(req.Words) != "a b" || req.NumWords != 2 || !req.Quiet {
		t.Errorf("push: %+v", req)
	}
	req = parse(t, "blob l -500 5\r\nhello\r\n")
	if string(req.Key) != "l" || req.When != -500 || string(req.Data) != "hello" {
		t.Errorf("blob: %+v", req)
	}
	req = parse(t, "flush_all 10 noreply\r\n")
	if string(req.Words) != "10" || req.NumWords != 1 || !req.Quiet {
		t.Errorf("flush_all: %+v", req)
	}
	req = parse(t, "mg YSBi v b\r\n")
	if string(req.Key) != "a b" {
		t.Errorf("mg: %+v", req)
	}
}

// Replies that a quiet request hides.
func TestSilences(t *testing.T) {
	for _, test := range []struct {
		typed  string
		hidden string
		shown  string
	}{
		{"set a 0 0 1 noreply\r\nx\r\n", "STORED, ERROR, SERVER_ERROR out of memory", ""},
		{"incr a 1 noreply\r\n", "5, NOT_FOUND, CLIENT_ERROR cannot increment", ""},
		{"delete a\r\n", "", "DELETED"},
		{"mg a q\r\n", "EN, EN k", "HD, VA 1, CLIENT_ERROR, E"},
		{"ms a 1 q\r\nx\r\n", "HD, HD O1", "NS, EX, NF, SERVER_ERROR"},
		{"md a q\r\n", "HD", "NF, EX, CLIENT_ERROR"},
		{"ma a q\r\n", "HD, VA 1", "NF, EX, NS, CLIENT_ERROR"},
		{"ma a q N0\r\n", "HD, VA 1", "NF, EX, NS, CLIENT_ERROR"},
		{"mg a\r\n", "", "EN, HD"},
	} {
		req := parse(t, test.typed)
		for line := range strings.SplitSeq(test.hidden, ", ") {
			if test.hidden != "" && !req.Silences([]byte(line)) {
				t.Errorf("%q: %q is shown", test.typed, line)
			}
		}
		for line := range strings.SplitSeq(test.shown, ", ") {
			if req.Silences([]byte(line)) && test.shown != "" {
				t.Errorf("%q: %q is hidden", test.typed, line)
			}
		}
	}
}

// Whatever MaxData is, no block is forwarded whose length memcached would misread as a
// shorter one, and no client has to wait until gigabytes have been skipped.
func TestLengthBeyond32Bits(t *testing.T) {
	for _, line := range []string{
		"set a 0 0 4294967295\r\n", "set a 0 0 4294967297 noreply\r\n", "ms a 2147483646\r\n", "ms a 4294967295 q\r\n",
		"append a 0 0 9223372036854775805\r\n", "prepend a 0 0 2147483648\r\n", "cas a 0 0 99999999999 1\r\n",
		"blob l 1 2147483646\r\n", "blob l soon 99999999999\r\n",
	} {
		p := Parser{MaxData: math.MaxInt, Verbs: testVerbs}
		var req Request
		n, status := p.Next([]byte(line), &req)
		if n != len(line) || status != Broken || req.Refusal != errFormat || p.Swallowing() || p.Need != 0 {
			t.Errorf("%q: %d, %d, %q, %d needed", line, n, status, req.Refusal, p.Need)
		}
	}
}
