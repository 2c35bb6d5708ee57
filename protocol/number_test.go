package protocol

import "testing"

func TestParseUint(t *testing.T) {
	for word, want := range map[string]uint64{
		"0": 0, "7": 7, "007": 7, "4294967296": 1 << 32, "0000000000000000000007": 7,
		"18446744073709551615": 1<<64 - 1, "0018446744073709551615": 1<<64 - 1,
	} {
		if got, ok := ParseUint([]byte(word)); got != want || !ok {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "+", "+7", "00000000000000000000007", "-", "-0", "-1", "++1", "+-1", "1x", "x1", "0x1", "1.0", "1 ", "\t1", "1\r", "1\x00",
		"18446744073709551616", "18446744073709551620", "99999999999999999999", "184467440737095516150"} {
		if got, ok := ParseUint([]byte(word)); ok {
			t.Errorf("%q: %d", word, got)
		}
	}
}

func TestParseInt(t *testing.T) {
	for word, want := range map[string]int64{
		"0": 0, "-0": 0, "5": 5, "-5": -5, "-005": -5,
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63,
	} {
		if got, ok := ParseInt([]byte(word)); got != want || !ok {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "-", "+5", "--1", "-+1", "+-1", "1-", "9223372036854775808", "-9223372036854775809"} {
		if got, ok := ParseInt([]byte(word)); ok {
			t.Errorf("%q: %d", word, got)
		}
	}
}

// The results of C's strtoul and strtol for words, with memcached's additional rules.
func TestReadFlagsAndExptime(t *testing.T) {
	for word, want := range map[string]uint32{
		"0": 0, "7": 7, "+7": 7, "007": 7, "-0": 0, "\t7": 7, "\v\f\r\n-0": 0, "7\t8": 7, "7\r": 7, " 7 ": 7,
		"4294967297": 1, "18446744073709551615": 1<<32 - 1, "-18446744073709551615": 1, "-9223372036854775809": 1<<32 - 1,
	} {
		if got, ok := readFlags([]byte(word)); got != want || !ok {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "+", "-", "\t", "-1", "-9223372036854775808", "++1", "+-1", "- 1", "1x", "x1", "0x1", "1.0", "1\x00", "7\x01",
		"18446744073709551616", "-18446744073709551616", "99999999999999999999"} {
		if got, ok := readFlags([]byte(word)); ok {
			t.Errorf("%q: %d", word, got)
		}
	}
	for word, want := range map[string]int64{
		"0": 0, "-0": 0, "+5": 5, "-5": -5, "\n-005\n": -5, "5\t-": 5, "2147483648": -1 << 31, "4294967296": 0,
		"-2147483649": 1<<31 - 1, "9223372036854775807": -1, "-9223372036854775808": 0,
	} {
		if got, ok := readExptime([]byte(word)); got != want || !ok {
			t.Errorf("%q: %d, %v", word, got, ok)
		}
	}
	for _, word := range []string{"", "-", "--1", "-+1", "1-", "9223372036854775808", "-9223372036854775809", "99999999999999999999"} {
		if got, ok := readExptime([]byte(word)); ok {
			t.Errorf("%q: %d", word, got)
		}
	}
}

// Numbers of 32 bits and their greatest length.
func TestParse32(t *testing.T) {
	for word, fine := range map[string][2]bool{ // signed, unsigned
		"0": {true, true}, "-0": {true, false}, "-1": {true, false}, "00000000001": {true, true}, "000000000001": {false, false},
		"2147483647": {true, true}, "2147483648": {false, true}, "-2147483648": {true, false}, "-2147483649": {false, false},
		"4294967295": {false, true}, "4294967296": {false, false}, "-00000000001": {false, false}, "+1": {false, false}, "": {false, false},
	} {
		if _, ok := parseInt32([]byte(word)); ok != fine[0] {
			t.Errorf("%q with a sign: %v", word, ok)
		}
		if _, ok := parseUint32([]byte(word)); ok != fine[1] {
			t.Errorf("%q without a sign: %v", word, ok)
		}
	}
}

// C reads plain numbers alike.
func FuzzNumber(f *testing.F) {
	for _, word := range []string{"0", "-1", "+7", "18446744073709551615", "-9223372036854775808", "1\t", "\t1", "x"} {
		f.Add([]byte(word))
	}
	f.Fuzz(func(t *testing.T, word []byte) {
		if n, ok := parseUint32(word); ok {
			if m, ok := readFlags(word); !ok || m != n {
				t.Errorf("%q: %d and %d", word, n, m)
			}
		}
		if n, ok := parseInt32(word); ok {
			if m, ok := readExptime(word); !ok || m != n {
				t.Errorf("%q: %d and %d", word, n, m)
			}
		}
	})
}
