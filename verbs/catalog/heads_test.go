package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/format"
)

func TestIsHead(t *testing.T) {
	const segments = "@" + testID + ":2:5600:l @" + otherID + ":1:2240:l "
	for _, value := range []string{
		"", "+a ", "-a ", "+a -b ~3808428032:c ", "+a +b\r\n+c", "+a  +b ", "+a l>x z-y t-:i h:" + testID + " ", " +a ",
		"l ", "l>a l<b l(a l)b l-a ", "l>a +b l ", "l+>dqNfbo8stjC1.7.{} ", "l=" + testID + ".1.1795855985000 l:a ", "l~" + testID + ".1.1795855985000.(5 ",
		"z ", "z=1:a z+-2:b z(3:c z)4:d z-e z~1@3808428032;2@3808428033:f ", "z<" + testID + ".1.1795855985000.1;2 ",
		"t ", "t=1700000000000:" + testID + ":mail ", "t-:a ", "t-" + testID + ".1 ",
		"h ", "h:" + testID + " ", "h:" + testID + " +a ",
		"x:token ", "x/3:token ", "x:token +a l>b ",
		"@" + testID + ":1:10 ", "@" + testID + ":1:10 +a ", segments, segments + "l>a ", "@" + testID + ":1:10:q ", // of a later version
		"l+>dqNfbo8stjC1.0." + strings.Repeat("~`", 32<<10) + " ",
		strings.Repeat("+member ", 1<<17),
	} {
		if !IsHead(0, []byte(value)) {
			t.Errorf("%.60q is no head", value)
		}
		if IsHead(5, []byte(value)) {
			t.Errorf("%.60q is a head with flags", value)
		}
	}
	for _, value := range []string{
		"0", "7", "-5", "+1", "-5\n", "1795855985000", "3.14", "1e9", "true", "null", "OK",
		"a", "l", "z", "word", "hello ", "two words", "This is a sentence. ", "a b c ", "l 5 m 6 ", "A+ ", "+", "- ", "+ ", "~ ", "@ ", "@home ", " ", "\n", "  ",
		"a+b c+d ", "x:1 v:2 ", "x:1 v:2", "x:1", "x/0:a ", "x/101:a ", "z=5 ", "z=5: ", "h:12 ", "t=5 ", "t:1 ", "l= ",
		"- milk\n- eggs\n", "-a\n-b\n", "--- \nkey: value\n", "-----BEGIN CERTIFICATE-----\nMIIB\n", "+49 170 1234567", "-rw-r--r-- 1 root root ",
		"+a b ", "+a +", "+a ~x:b ", "+a q:b ", "l>a l? ", "z+1:a z? ", "h:" + testID + " h:1 ", "x:token y ", "x:token v:z ", "x:token hello ",
		"<!DOCTYPE html>\n<html><body>", "<p>", "{\"a\": 1}", "{}", "[1, 2]", `"text"`,
		`a:1:{s:4:"user";i:7;}`, `s:5:"hello";`, "i:5;", "b:1;", "N;", `O:8:"stdClass":0:{}`, "x:i:0;a:0:{};m:a:0:{}",
		"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00.", "(dp0\nS'a'\np1\nI1\ns.", "(lp0\n.", "\x04\bi\x06", "\x82\xa1a\x01", "x\x9cK\xcb", "\x1f\x8b\x08\x00",
		"@" + testID + ":1:10", "@" + testID + ":0:10 ", "@short:1:10 ", segments + "@" + testID + ":1:10:z ", strings.Repeat("@"+testID+":1:10 ", 2),
		"1795855984528 0 0\r\n\r\n", "https://example.org/?a=b", "key=value; other=value ", "2026-11-28 11:00:00 ", "user@example.org ",
		strings.Repeat("+", 1<<20), strings.Repeat("a", 1<<20), strings.Repeat("word ", 1<<18), "+a " + strings.Repeat("word ", 1<<18), strings.Repeat(" ", 1<<20),
	} {
		if IsHead(0, []byte(value)) {
			t.Errorf("%.60q is a head", value)
		}
	}
}

// Whatever a value is, telling takes little time and memory.
func BenchmarkIsHead(b *testing.B) {
	id := strings.Repeat("i", 16)
	for name, token := range map[string]string{
		"set": "+a ", "until": "~3808428032:a ", "list": "l>a ", "removals": "l-a ", "orders": "l~" + id + ".1.1795855985000.(9 ",
		"ranking": "z+1:a ", "queue": "t-:i ", "locks": "+a ", "pointers": "@%016d:1:1 ", "increments": "1@3808428032;", "scores": "1;",
	} {
		value := []byte(strings.Repeat(token, 2*longestChecked/len(token)))
		switch name {
		case "locks":
			value = append([]byte("x:token "), value...)
		case "increments":
			value = append([]byte("z~"), value[:longestChecked-100]...)
			value = append(value, "1@1:a "...)
		case "scores":
			value = append([]byte("z<"+id+".1.1795855985000."), value[:longestChecked-101]...)
			value = append(value, "1 "...)
		case "pointers":
			value = nil
			for i := range format.MaxSegments {
				value = fmt.Appendf(value, token, i)
			}
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				IsHead(0, value)
			}
		})
	}
}
