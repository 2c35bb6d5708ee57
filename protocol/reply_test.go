package protocol

import (
	"errors"
	"strings"
	"testing"
)

func TestParseReply(t *testing.T) {
	for _, test := range []struct {
		wire string
		want Reply // its slices are compared as text
	}{
		{"STORED\r\n", Reply{Kind: ReplyStatus, Line: []byte("STORED")}},
		{"NOT_STORED\r\n", Reply{Kind: ReplyStatus, Line: []byte("NOT_STORED")}},
		{"EXISTS\r\n", Reply{Kind: ReplyStatus, Line: []byte("EXISTS")}},
		{"NOT_FOUND\r\n", Reply{Kind: ReplyStatus, Line: []byte("NOT_FOUND")}},
		{"DELETED\r\n", Reply{Kind: ReplyStatus, Line: []byte("DELETED")}},
		{"TOUCHED\r\n", Reply{Kind: ReplyStatus, Line: []byte("TOUCHED")}},
		{"OK\r\n", Reply{Kind: ReplyStatus, Line: []byte("OK")}},
		{"18446744073709551615\r\n", Reply{Kind: ReplyStatus, Line: []byte("18446744073709551615")}},
		{"END\r\n", Reply{Kind: ReplyEnd, Line: []byte("END")}},
		{"ERROR\r\n", Reply{Kind: ReplyError, Line: []byte("ERROR")}},
		{"CLIENT_ERROR bad data chunk\r\n", Reply{Kind: ReplyError, Line: []byte("CLIENT_ERROR bad data chunk")}},
		{"SERVER_ERROR out of memory\r\n", Reply{Kind: ReplyError, Line: []byte("SERVER_ERROR out of memory")}},
		{"VERSION 1.6.38\r\n", Reply{Kind: ReplyVersion, Line: []byte("VERSION 1.6.38")}},
		{"VALUE a 0 2\r\nhi\r\n", Reply{Kind: ReplyValue, Line: []byte("VALUE a 0 2"), Key: []byte("a"), Data: []byte("hi")}},
		{"VALUE a 0 0 77\r\n\r\n", Reply{Kind: ReplyValue, Line: []byte("VALUE a 0 0 77"), Key: []byte("a"), Tail: []byte("77")}},
		{"VALUE a\r 0 4\r\nEND\r\r\n", Reply{Kind: ReplyValue, Line: []byte("VALUE a\r 0 4"), Key: []byte("a\r"), Data: []byte("END\r")}},
		{"VALUE a 0 5\r\n\r\n\r\n\n\r\n", Reply{Kind: ReplyValue, Line: []byte("VALUE a 0 5"), Key: []byte("a"), Data: []byte("\r\n\r\n\n")}},
		{"HD\r\n", Reply{Kind: ReplyMeta, Line: []byte("HD")}},
		{"HD k\x01 O\r\n", Reply{Kind: ReplyMeta, Line: []byte("HD k\x01 O")}},
		{"EN\r\n", Reply{Kind: ReplyMeta, Line: []byte("EN")}},
		{"NF O1\r\n", Reply{Kind: ReplyMeta, Line: []byte("NF O1")}},
		{"NS\r\n", Reply{Kind: ReplyMeta, Line: []byte("NS")}},
		{"EX\r\n", Reply{Kind: ReplyMeta, Line: []byte("EX")}},
		{"MN\r\n", Reply{Kind: ReplyMeta, Line: []byte("MN")}},
		{"ME a exp=-1\r\n", Reply{Kind: ReplyMeta, Line: []byte("ME a exp=-1")}},
		{"VA 2 c5 k\r\nhi\r\n", Reply{Kind: ReplyMetaValue, Line: []byte("VA 2 c5 k"), Data: []byte("hi")}},
		{"VA 0\r\n\r\n", Reply{Kind: ReplyMetaValue, Line: []byte("VA 0")}},
	} {
		var got Reply
		// What follows belongs to the next reply.
		n, need, err := ParseReply([]byte(test.wire+"END\r\n"), &got)
		if n != len(test.wire) || need != 0 || err != nil {
			t.Errorf("%q: %d, %d, %v", test.wire, n, need, err)
		}
		want := test.want
		if got.Kind != want.Kind || string(got.Line) != string(want.Line) ||
			string(got.Key) != string(want.Key) || string(got.Tail) != string(want.Tail) || string(got.Data) != string(want.Data) {
			t.Errorf("%q: %+v", test.wire, got)
		}
		for cut := range test.wire {
			n, need, err := ParseReply([]byte(test.wire[:cut]), &got)
			if n != 0 || err != nil || need != 0 && need != len(test.wire) {
				t.Errorf("%q: %d, %d, %v", test.wire[:cut], n, need, err)
			}
			if headed := strings.Contains(test.wire[:cut], "\n"); headed && need == 0 {
				t.Errorf("%q: the length is not told", test.wire[:cut])
			}
		}
	}
}

func TestParseReplyFails(t *testing.T) {
	for wire, want := range map[string]error{
		"\r\n":                                ErrReplyLine,
		"hello\r\n":                           ErrReplyLine,
		"STORED\n":                            ErrReplyLine,
		"VALUE a 0 2\nhi\r\n":                 ErrReplyLine,
		"HD k\n\r\n":                          ErrReplyLine,
		"stored\r\n":                          ErrReplyLine,
		"-1\r\n":                              ErrReplyLine,
		"STOREDx\r\n":                         ErrReplyLine,
		"ERROR: no\r\n":                       ErrReplyLine,
		"XX\r\n":                              ErrReplyLine,
		"STATS\r\n":                           ErrReplyLine,
		strings.Repeat("x", MaxLine):          ErrReplyLine,
		"HD O" + strings.Repeat("x", MaxLine): ErrReplyLine,
		"HD O" + strings.Repeat("x", MaxLine-5) + "\r\n": ErrReplyLine,
		" STORED\r\n":                     ErrReplyLine,
		"VALUE  a 0 2\r\nhi\r\n":          ErrReplySize,
		"VALUE a  0 2\r\nhi\r\n":          ErrReplySize,
		"VALUE a 0\r\nhi\r\n":             ErrReplySize,
		"VALUE a 0 x\r\nhi\r\n":           ErrReplySize,
		"VALUE a 0 -1\r\nhi\r\n":          ErrReplySize,
		"VALUE a 0 1\r\nhi\r\n":           ErrReplySize,
		"VALUE a 0 2\r\nhi\n\n":           ErrReplySize,
		"VA\r\n":                          ErrReplySize,
		"VA 4294967297\r\nx\r\n":          ErrReplySize,
		"VA 9223372036854775807\r\nx\r\n": ErrReplySize,
	} {
		var r Reply
		if n, need, err := ParseReply([]byte(wire), &r); n != 0 || need != 0 || !errors.Is(err, want) {
			t.Errorf("%.40q: %d, %d, %v", wire, n, need, err)
		}
	}
	var r Reply
	if n, _, err := ParseReply([]byte("HD O"+strings.Repeat("x", MaxLine-6)+"\r\n"), &r); n != MaxLine || err != nil {
		t.Errorf("the longest line: %d, %v", n, err)
	}
}

func TestCutValue(t *testing.T) {
	replies := []byte("VALUE ab 0 4 77\r\n\r\n\r\n\r\nVALUE b 12 0\r\n\r\nEND\r\n")
	for _, key := range []string{"ab", "b"} {
		for _, other := range []string{"", "a", "abc", "bb"} {
			if n := CutValue(replies, []byte(other)); n != 0 {
				t.Errorf("%d bytes of %q are taken for the value of %q", n, replies, other)
			}
		}
		n := CutValue(replies, []byte(key))
		if want := strings.Index(string(replies), "\r\nVALUE b") + 2; key == "ab" && n != want {
			t.Errorf("the value of ab is %d bytes long, expected %d", n, want)
		}
		replies = replies[n:]
	}
	if string(replies) != "END\r\n" || CutValue(replies, []byte("b")) != 0 || CutValue(nil, []byte("b")) != 0 {
		t.Errorf("%q is left", replies)
	}
}
