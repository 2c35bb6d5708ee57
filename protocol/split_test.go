package protocol

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// streams are the streams that the tests below split.
func streams() map[string]string {
	s := map[string]string{
		"requests": "get a\r\nset b 0 0 5 noreply\r\nhe\nlo\r\nmg k q v\r\nincr n 1\n\r\nmn\r\n",
		"refusals": "set a -1 0 9\r\nflush_all\r\nms " + key251 + " 4 q\r\nquit\r\nset a 0 0 4\r\nabcdef\r\nmn\r\n",
		"verbs":    "push k a b\r\nblob l 0 4\r\na\r\nb\r\nblob l x 4 noreply\r\nquit\r\npeek l 1 2\r\n",
		"NUL":      "get a\x00b\r\ndelete a\x00 noreply\r\nset a 0 0 1\x00 noreply\r\nx\r\nmn\r\n",
		"unended":  "get a\r\nset a 0 0 100\r\nhello\r\n",
		"binary":   "\x80\x0a\r\nmn\r\n",
		"HTTP":     "mn\r\nPOST / HTTP/1.0\r\nHost: localhost\r\n\r\nmn\r\n",
		"no end":   "get a\r\ndelete " + strings.Repeat(" ", 3*MaxLine),
		"end late": "get a\r\ndelete " + strings.Repeat(" ", MaxLine) + "a\r\nmn\r\n",

		"many keys":       "gets" + strings.Repeat(" key", 3*MaxKeys) + "\r\nmn\r\n",
		"long get":        "get" + strings.Repeat("  some:longer:key", 500) + " \r\nmn\r\n",
		"long gat":        "gat 60" + strings.Repeat(" some:longer:key", 500) + "\r\nmn\r\n",
		"long, bad key":   "get" + strings.Repeat(" some:longer:key", 200) + " " + key251 + strings.Repeat(" a", 999) + "\r\nmn\r\n",
		"one key":         "get a" + strings.Repeat("b", 3*MaxLine) + "\r\nmn\r\n",
		"long, NUL":       "get" + strings.Repeat(" some:longer:key", 200) + "\x00" + strings.Repeat(" more", 999) + "\r\nmn\r\n",
		"long, many, NUL": "get" + strings.Repeat(" k", 3*MaxKeys) + "\x00" + strings.Repeat(" more", 999) + "\r\nmn\r\n",
		"edge":            "get a" + strings.Repeat(" ", MaxLine-1-MaxKey-len("get a")) + key250 + "\r\nmn\r\n",
		"edge, one more":  "get a" + strings.Repeat(" ", MaxLine-1-MaxKey-len("get a")) + key251 + "\r\nmn\r\n",
		"spaces":          "get a" + strings.Repeat(" ", 2*MaxLine) + "b\r\nmn\r\n",
		"spaces first":    strings.Repeat(" ", MaxLine-2) + "get a\r\nmn\r\n",
		"word last":       strings.Repeat(" ", MaxLine-3) + "gets a\r\nmn\r\n",
		"gat, spaces":     "gat 0" + strings.Repeat(" ", 2*MaxLine) + "b\r\nmn\r\n",
		"gat, zeros":      "gat " + strings.Repeat("0", MaxLine) + " a\r\nmn\r\n",
		"long list":       "push k" + strings.Repeat(" member", 500) + "\r\nmn\r\n",
		"renumbered":      "set a 0 0 1\t\r\nx\r\nms a 1\r MS q\r\nx\r\ncas a -0 0 1\v 5 noreply\r\nx\r\nmn\r\n",
		"bad ends":        "set a 0 0 1\r\nxyzset a 0 0 1 noreply\r\nx\n\nms a 1 q\r\nx\r\rmn\r\n",
		"keys encoded":    "mg Cg== b k q\r\nma Cg== b N0 q\r\nme Cg== b\r\nms Cg== 1 b q q\r\nx\r\nms Cg== 9999 b q v v\r\nmn\r\n",
		"list too long":   "push k" + strings.Repeat(" member", maxData/6) + "\r\nmn\r\n",
	}
	for _, n := range []int{MaxLine - 1, MaxLine, MaxLine + 1} {
		fill := strings.Repeat("x", n)
		s[fmt.Sprintf("mg of %d", n)] = ("mg a O" + fill)[:n-2] + "\r\nmn\r\n"
		s[fmt.Sprintf("get of %d", n)] = ("get" + strings.Repeat(" a", n))[:n-2] + "\r\nmn\r\n"
		s[fmt.Sprintf("list of %d", n)] = ("push k" + strings.Repeat(" a", n))[:n-2] + "\r\nmn\r\n"
	}
	s["list of MaxData"] = ("push k" + strings.Repeat(" a", maxData))[:maxData-2] + "\r\nmn\r\n"
	s["list of MaxData+1"] = ("push k" + strings.Repeat(" a", maxData))[:maxData-1] + "\r\nmn\r\n"
	return s
}

// cuts returns where to split a stream in two: everywhere if it is short, otherwise near its ends, near
// multiples of MaxLine, and here and there.
func cuts(stream string) (at []int) {
	const near, step = 200, 17
	for cut := range stream {
		if min(cut, len(stream)-cut, cut%MaxLine, MaxLine-cut%MaxLine) < near || cut%step == 0 {
			at = append(at, cut)
		}
	}
	return at
}

// A stream split in two at any byte is parsed as in one piece.
func TestSplitInTwo(t *testing.T) {
	for name, stream := range streams() {
		want := verdicts(t, stream)
		for _, cut := range cuts(stream) {
			r := newReader(t)
			r.feed([]byte(stream[:cut]))
			r.feed([]byte(stream[cut:]))
			if got := r.end(); !slices.Equal(got, want) {
				t.Fatalf("%s, cut at %d:\n got %.300q\nwant %.300q", name, cut, got, want)
			}
		}
	}
}

// So is a stream that arrives in small pieces.
func TestSplitInPieces(t *testing.T) {
	for name, stream := range streams() {
		want := verdicts(t, stream)
		for _, size := range []int{1, 2, 3, 7, 100, MaxLine - 1, MaxLine, MaxLine + 1} {
			r := newReader(t)
			for piece := range slices.Chunk([]byte(stream), size) {
				r.feed(piece)
			}
			if got := r.end(); !slices.Equal(got, want) {
				t.Fatalf("%s, in pieces of %d:\n got %.300q\nwant %.300q", name, size, got, want)
			}
		}
	}
}

// The rest of a refused line is skipped, and the request after it is parsed.
func TestLongRetrievals(t *testing.T) {
	const ask, refuse, mn = "forward \"g", "refuse " + errFormat, `forward "mn\r\n"`
	streams := streams()
	for name, want := range map[string][]string{
		"many keys":       {ask, ask, ask, mn},
		"long get":        {ask, ask, ask, ask, ask, mn},
		"long, bad key":   {ask, refuse, mn},
		"one key":         {refuse, mn},
		"long, NUL":       {ask, refuse, mn},
		"edge":            {ask, ask, mn},
		"edge, one more":  {refuse, mn},
		"long, many, NUL": {refuse, mn},
		"spaces":          {ask, ask, ask, mn},
		"gat, zeros":      {refuse, mn},
		"word last":       {"hang up " + errLongLine},
		"gat, spaces":     {refuse, mn},
	} {
		got := verdicts(t, streams[name])
		for i, v := range got {
			if strings.HasPrefix(v, ask) {
				got[i] = ask
			}
			got[i], _, _ = strings.Cut(got[i], ", having asked")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %.300q", name, got)
		}
	}
}

// Bytes already received are not scanned again with each new byte: that would take
// hours here.
func TestByteByByte(t *testing.T) {
	const size = 1 << 20
	fill := strings.Repeat(" member", size/7)
	for _, stream := range []string{
		"push k" + fill + "\r\n",
		"set k 0 0 " + fmt.Sprint(len(fill)) + "\r\n" + fill + "\r\n",
		"ms k " + fmt.Sprint(len(fill)) + strings.Repeat(" O", 16) + "\r\n" + fill + "\r\n",
		"set " + key251 + " 0 0 " + fmt.Sprint(len(fill)) + "\r\n" + fill + "\r\n",
	} {
		p := Parser{MaxData: size + 100, Verbs: testVerbs}
		ready := 0
		buf := []byte(stream)
		done := 0
		for end := range len(buf) + 1 {
			var req Request
			n, status := p.Next(buf[done:end], &req)
			if done += n; status == Ready {
				ready++
			}
		}
		if ready != 1 || done != len(buf) {
			t.Errorf("%.20q: %d requests in %d of %d bytes", stream, ready, done, len(buf))
		}
	}
}

// A retrieval too long for one request is yielded in parts, which together have all its
// keys once and in order.
func TestParts(t *testing.T) {
	var keys []string
	for i := range 1000 {
		keys = append(keys, fmt.Sprintf("key:%d", i))
	}
	for _, line := range []string{"get ", "gat 60 "} {
		for _, limit := range []int{0, 1, 7, MaxKeys, MaxKeys + 1} {
			var got []string
			parts, last := 0, true
			r := newReader(t)
			r.parser.MaxKeys = limit
			r.each = func(req *Request) {
				words := strings.Fields(string(req.Words))
				got = append(got, words...)
				parts, last = parts+1, !req.More
				if len(words) != req.NumWords || len(words) > 0 && string(req.Key) != words[0] {
					t.Errorf("%d words, first %q, in %q", req.NumWords, req.Key, req.Words)
				}
				if limit > 0 && req.NumWords > limit || req.NumWords > MaxKeys {
					t.Errorf("%d keys in one part", req.NumWords)
				}
				if line == "gat 60 " && req.Exptime != 60 {
					t.Errorf("exptime %d", req.Exptime)
				}
			}
			r.feed([]byte(line + strings.Join(keys, " ") + "\r\n"))
			if !slices.Equal(got, keys) || !last {
				t.Errorf("%q in parts of %d: %d keys in %d parts", line, limit, len(got), parts)
			}
		}
	}
}

// Restoring a copy of the parser undoes a call.
func TestTakenBack(t *testing.T) {
	stream := []byte("gat 60" + strings.Repeat(" k", 3*MaxKeys) + "\r\nset a 0 0 1\r\nx\r\nmg YQ== b\r\nmn\r\n")
	p := Parser{MaxData: maxData, Verbs: testVerbs}
	for len(stream) > 0 {
		var once, again Request
		before := p
		n, status := p.Next(stream, &once)
		want := verdict(&once, status)
		p = before
		m, status := p.Next(stream, &again)
		if got := verdict(&again, status); got != want || n != m {
			t.Fatalf("%q, then %q", want, got)
		}
		stream = stream[n:]
	}
}
