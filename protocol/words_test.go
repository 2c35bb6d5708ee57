package protocol

import (
	"math/rand/v2"
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
		if head, word := CutLastWord([]byte(line)); string(head) != want[0] || string(word) != want[1] {
			t.Errorf("%q: %q, %q", line, head, word)
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

// How memcached decodes base64, recorded by asking it to return the key.
// Counting plain words agrees with looking at one word after another.
func TestCountPlainWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		line := make([]byte, random.IntN(12))
		for i := range line {
			line[i] = "  abcd\xff\x80\t\n\x00\x7f"[random.IntN(4+random.IntN(9))]
		}
		most := 1 + random.IntN(4)
		want := true
		for rest := line; ; {
			var word []byte
			if word, rest = NextWord(rest); len(word) == 0 {
				break
			}
			want = want && PlainWord(word) && len(word) <= most
		}
		if n, plain := CountPlainWords(line, most); n != CountWords(line) || plain != want {
			t.Fatalf("%q, of words of at most %d bytes: %d, %v", line, most, n, plain)
		}
	}
}

func TestBase64(t *testing.T) {
	for text, want := range map[string]string{
		"YQ==":           "a",
		"YWI=":           "ab",
		"YWJj":           "abc",
		"YWJjZA==":       "abcd",
		"+/+/":           "\xfb\xff\xbf",
		"YR==":           "a",            // surplus bits
		"9Y_R=":          "\xf5\x84",     // a character that is not of the alphabet
		".9+-YA":         "\xf7\xe6\x00", // several
		"R/=Z\r":         "G\xf0",        // padding inside
		"Yg==YQ==":       "b",            // and after it
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
	// A key that can't be decoded is refused, and so is one that is too long.
	for _, typed := range []string{"mg !!! b\r\n", "mg " + strings.Repeat("eno=", 100) + " b\r\n"} {
		if req := parse(t, typed); req.Refusal == "" {
			t.Errorf("%.20q: key %q", typed, req.Key)
		}
	}
	// The flag may have any position, and an argument.
	for _, typed := range []string{"mg YSBi v b\r\n", "mg YSBi b1 v\r\n", "ms YSBi 1 T0 b\r\nx\r\n", "me YSBi b\r\n"} {
		if req := parse(t, typed); string(req.Key) != "a b" {
			t.Errorf("%q: key %q", typed, req.Key)
		}
	}
}
