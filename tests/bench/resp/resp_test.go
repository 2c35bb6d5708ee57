package resp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/bench/resp"
)

func TestAppendCommand(t *testing.T) {
	got := string(resp.AppendCommand([]byte("before "), "SADD", "fruits", "a\r\nb", ""))
	if want := "before *4\r\n$4\r\nSADD\r\n$6\r\nfruits\r\n$4\r\na\r\nb\r\n$0\r\n\r\n"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
}

// entries is what XRANGE replies.
func entries(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", n)
	for i := range n {
		fmt.Fprintf(&b, "*2\r\n$6\r\n%04d-0\r\n*2\r\n$1\r\ne\r\n$10\r\n012345\r\n89\r\n", i)
	}
	return b.String()
}

var good = []struct {
	reply string
	want  resp.Want
}{
	{"+OK\r\n", resp.Want{Kind: '+'}},
	{":1\r\n", resp.Want{Kind: ':', Min: 0, Max: 1}},
	{":10000\r\n", resp.Want{Kind: ':', Min: 10000, Max: 10000}},
	{"$15\r\n1795279265000-0\r\n", resp.Want{Kind: '$', Min: 15, Max: 20}},
	{"$0\r\n\r\n", resp.Want{Kind: '$'}},
	{"*0\r\n", resp.Want{Kind: '*'}},
	{"*3\r\n$1\r\na\r\n:7\r\n$2\r\n\r\n\r\n", resp.Want{Kind: '*', Min: 3, Max: 3, Strings: 2}},
	{entries(20), resp.Want{Kind: '*', Min: 20, Max: 20, Strings: 60}},
}

// Replies are told apart, wherever reads divide them.
func TestScan(t *testing.T) {
	for _, size := range []int{1, 2, 3, 7, 1 << 20} {
		var s resp.Scanner
		for _, g := range good {
			rest, done := []byte(g.reply+"+next\r\n"), false
			for !done {
				var n int
				var err error
				if n, done, err = s.Scan(rest[:min(size, len(rest))], &g.want); err != nil {
					t.Fatalf("%q in pieces of %d: %v", g.reply, size, err)
				}
				rest = rest[n:]
			}
			if string(rest) != "+next\r\n" {
				t.Fatalf("behind %q in pieces of %d there is %q left", g.reply, size, rest)
			}
		}
	}
}

func TestScanRefuses(t *testing.T) {
	for _, bad := range []struct {
		reply string
		want  resp.Want
		why   string
	}{
		{"-ERR wrong kind of value\r\n", resp.Want{Kind: ':', Max: 1}, "ERR wrong kind of value"},
		{"*1\r\n-ERR no\r\n", resp.Want{Kind: '*', Min: 1, Max: 1}, "ERR no"},
		{":2\r\n", resp.Want{Kind: ':', Max: 1}, ":2"},
		{":1\r\n", resp.Want{Kind: '$', Max: 1}, ":1"},
		{"*1\r\n$1\r\na\r\n", resp.Want{Kind: '*', Min: 2, Max: 2, Strings: 2}, "*1"},
		{"*1\r\n:1\r\n", resp.Want{Kind: '*', Min: 1, Max: 1, Strings: 1}, "0 strings"},
		{"$-1\r\n", resp.Want{Kind: '$', Min: -1, Max: 1}, "-1"},
		{"*99999999999999999999\r\n", resp.Want{Kind: '*'}, "not a reply"},
		{"*9999999999999\r\n", resp.Want{Kind: '*'}, "9999999999999"},
		{"STORED\r\n", resp.Want{Kind: '+'}, "STORED"},
		{"+OK\n", resp.Want{Kind: '+'}, "not a reply"},
		{"\r\n", resp.Want{Kind: '+'}, "not a reply"},
		{"+" + strings.Repeat("x", 1000), resp.Want{Kind: '+'}, "does not end"},
	} {
		var s resp.Scanner
		_, _, err := s.Scan([]byte(bad.reply), &bad.want)
		if err == nil || !strings.Contains(err.Error(), bad.why) {
			t.Errorf("%q: %v; it should say %q", bad.reply, err, bad.why)
		}
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	reply, want := []byte(entries(1000)), resp.Want{Kind: '*', Min: 1000, Max: 1000, Strings: 3000}
	var s resp.Scanner
	if n := testing.AllocsPerRun(10, func() {
		for i := 0; i < len(reply); i += 1000 {
			if _, _, err := s.Scan(reply[i:min(i+1000, len(reply))], &want); err != nil {
				t.Fatal(err)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations for a reply", n)
	}
}

// Whatever is received, the scanner returns an error or takes no more than there is. It does
// not panic.
func FuzzScan(f *testing.F) {
	for _, g := range good {
		f.Add([]byte(g.reply), 3)
	}
	f.Fuzz(func(t *testing.T, reply []byte, size int) {
		if size < 1 || len(reply) > 1000 {
			return
		}
		var s resp.Scanner
		for len(reply) > 0 {
			piece := reply[:min(size, len(reply))]
			n, done, err := s.Scan(piece, &resp.Want{Kind: '+'})
			if n < 0 || n > len(piece) || !done && err == nil && n < len(piece) {
				t.Fatalf("%d of %d, %v", n, len(piece), done)
			}
			if err != nil {
				return
			}
			reply = reply[n:]
		}
	})
}
