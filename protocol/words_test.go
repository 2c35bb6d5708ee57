package protocol

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":            nil,
		"   ":         nil,
		"a":           {"a"},
		" a  b ":      {"a", "b"},
		"a\tb \x01\r": {"a\tb", "\x01\r"},
	} {
		var got []string
		for rest := []byte(line); ; {
			var word []byte
			if word, rest = NextWord(rest); len(word) == 0 {
				break
			}
			got = append(got, string(word))
		}
		if !slices.Equal(got, want) || CountWords([]byte(line)) != len(want) {
			t.Errorf("%q: %q", line, got)
		}
		var words [2][]byte
		if n := fields([]byte(line), words[:]); n != len(want) || n > 0 && string(words[n-1]) != want[n-1] {
			t.Errorf("%q: %d fields, %q", line, n, words)
		}
	}
	var words [2][]byte
	if n := fields([]byte("a b c d"), words[:]); n != 3 || string(words[1]) != "b" {
		t.Errorf("%d fields, %q", n, words)
	}
}

func TestCutLastWord(t *testing.T) {
	for line, want := range map[string][2]string{
		"":          {"", ""},
		"  ":        {"", ""},
		"a":         {"", "a"},
		" a  b  c ": {" a  b", "c"},
	} {
		if head, word := cutLastWord([]byte(line)); string(head) != want[0] || string(word) != want[1] {
			t.Errorf("%q: %q, %q", line, head, word)
		}
	}
}

func TestParseUint(t *testing.T) {
	for word, want := range map[string]uint64{
		"0": 0, "7": 7, "+7": 7, "007": 7, "4294967296": 1 << 32,
		"18446744073709551615": 1<<64 - 1, "+018446744073709551615": 1<<64 - 1,
	} {
		if got, ok := ParseUint([]byte(word)); got != want || !ok {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "+", "-", "-0", "-1", "++1", "+-1", "1x", "x1", "0x1", "1.0", "1 ", "\t1", "1\r", "1\x00",
		"18446744073709551616", "18446744073709551620", "99999999999999999999", "184467440737095516150"} {
		if got, ok := ParseUint([]byte(word)); ok {
			t.Errorf("%q: %d", word, got)
		}
	}
}

func TestParseInt(t *testing.T) {
	for word, want := range map[string]int64{
		"0": 0, "-0": 0, "+5": 5, "-5": -5, "-005": -5,
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
	} {
		if got, ok := ParseInt([]byte(word)); got != want || !ok {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "-", "--1", "-+1", "+-1", "1-", "9223372036854775808", "-9223372036854775809"} {
		if got, ok := ParseInt([]byte(word)); ok {
			t.Errorf("%q: %d", word, got)
		}
	}
}

func TestPlainWord(t *testing.T) {
	for _, word := range []string{"a", "!", "\x80\xff", "ä", key250, "a\x7e"} {
		if !PlainWord([]byte(word)) {
			t.Errorf("%q", word)
		}
	}
	for _, word := range []string{"", " ", "a b", "a\t", "\x00", "\x1f", "a\x7f", "a\r", "a\n", key251} {
		if PlainWord([]byte(word)) {
			t.Errorf("%q", word)
		}
	}
}

// What memcached makes of base64, seen by asking it to show the key again.
func TestBase64(t *testing.T) {
	for text, want := range map[string]string{
		"YQ==":           "a",
		"YWI=":           "ab",
		"YWJj":           "abc",
		"YWJjZA==":       "abcd",
		"+/+/":           "\xfb\xff\xbf",
		"YR==":           "a",            // bits that are left over
		"9Y_R=":          "\xf5\x84",     // a character that is not of the alphabet
		".9+-YA":         "\xf7\xe6\x00", // several
		"R/=Z\r":         "G\xf0",        // padding inside
		"Yg==YQ==":       "b",            // and behind it
		"g+\x01191/w_Y":  "\x83\xed}\xd7\xfc\x18",
		"AA==":           "\x00",
		"":               "",
		"YQ":             "", // padding missing
		"YQ=":            "",
		"Y===":           "", // too much of it
		"====":           "",
		"!!!!":           "",
		"YWJjY===":       "",
		"_Q_gZA\r.\x01_": "B\x06@",
	} {
		if got := appendDecoded(nil, []byte(text)); string(got) != want {
			t.Errorf("%q: %q, expected %q", text, got, want)
		}
	}
	// A key that can't be decoded stays as it was sent: memcached will refuse it.
	if req := parse(t, "mg !!! b\r\n"); string(req.Key) != "!!!" {
		t.Errorf("key %q", req.Key)
	}
	// The flag may come anywhere, and may have an argument.
	for _, typed := range []string{"mg YSBi v b\r\n", "mg YSBi b1 v\r\n", "ms YSBi 1 T0 b\r\nx\r\n", "me YSBi b\r\n"} {
		if req := parse(t, typed); string(req.Key) != "a b" {
			t.Errorf("%q: key %q", typed, req.Key)
		}
	}
	long := strings.Repeat("eno=", 100)
	if req := parse(t, "mg "+long+" b\r\n"); string(req.Key) != long {
		t.Errorf("a key too long: %q", req.Key)
	}
}
