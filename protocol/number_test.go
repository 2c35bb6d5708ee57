package protocol

import "testing"

// What C's strtoull and strtoll make of words, with memcached's rules on top.
func TestReadNumbers(t *testing.T) {
	for word, want := range map[string]uint64{
		"0": 0, "7": 7, "+7": 7, "007": 7, "-0": 0, "\t7": 7, "\v\f\r\n-0": 0, "7\t8": 7, "7\r": 7, " 7 ": 7,
		"18446744073709551615": 1<<64 - 1, "-18446744073709551615": 1, "-9223372036854775809": 1<<63 - 1,
	} {
		if got, ok := ReadUint([]byte(word)); got != want || !ok {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "+", "-", "\t", "-1", "-9223372036854775808", "++1", "+-1", "- 1", "1x", "x1", "0x1", "1.0", "1\x00", "7\x01",
		"18446744073709551616", "-18446744073709551616", "99999999999999999999"} {
		if got, ok := ReadUint([]byte(word)); ok {
			t.Errorf("%q: %d", word, got)
		}
	}
	for word, want := range map[string]int64{
		"0": 0, "-0": 0, "+5": 5, "-5": -5, "\n-005\n": -5, "5\t-": 5,
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
	} {
		if got, ok := ReadInt([]byte(word)); got != want || !ok {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "-", "--1", "-+1", "1-", "9223372036854775808", "-9223372036854775809", "99999999999999999999"} {
		if got, ok := ReadInt([]byte(word)); ok {
			t.Errorf("%q: %d", word, got)
		}
	}
}

// What is plain is read alike by both.
func FuzzNumber(f *testing.F) {
	for _, word := range []string{"0", "-1", "+7", "18446744073709551615", "-9223372036854775808", "1\t", "\t1", "x"} {
		f.Add([]byte(word))
	}
	f.Fuzz(func(t *testing.T, word []byte) {
		if n, ok := ParseUint(word); ok {
			if m, ok := ReadUint(word); !ok || m != n {
				t.Errorf("%q: %d and %d", word, n, m)
			}
		}
		if n, ok := ParseInt(word); ok {
			if m, ok := ReadInt(word); !ok || m != n {
				t.Errorf("%q: %d and %d", word, n, m)
			}
		}
	})
}
