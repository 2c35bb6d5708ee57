package differential

import (
	"strconv"
	"strings"
)

// badStore makes a storage command that memcached refuses for its line.
func (g *generator) badStore() command {
	name := g.one("set", "add", "replace", "append", "prepend", "cas")
	c := command{name: name + " badly"}
	value := g.value()
	words := []string{name, g.key(), "0", "0", strconv.Itoa(len(value))}
	if name == "cas" {
		words = append(words, "1")
	}
	readable := true // the length, so that the data is skipped
	switch g.IntN(8) {
	case 0:
		words[1] = longKeys[g.IntN(len(longKeys))]
	case 1:
		words[2] = g.one("-1", "x", "1x", "0x1", "18446744073709551616", "+-1", "--1", "1.5")
	case 2:
		words[3] = g.one("x", "1x", "0x1", "9223372036854775808", "-9223372036854775809", "+-1", "1.5")
	case 3:
		words[4] = g.one("-1", "-2147483648", "x", "1x", "5.0", "99999999999999999999", "+", "18446744073709551615", "+2", "\v2")
		readable = false
	case 4:
		if name == "cas" {
			words[5] = g.one("-1", "x", "1x", "18446744073709551616", "+1", "noreply")
		} else {
			words[4], readable = g.one("-1", "x", "1x", "18446744073709551616"), false
		}
	case 5: // too few
		words = words[:1+g.IntN(4)]
		readable = false
	case 6: // more than there need be, which means nothing
		words = append(words, "1", "2")
		for range g.IntN(30) {
			words = append(words, g.one("a", "noreply", "0"))
		}
	case 7: // too few, with the option
		words[4] = "noreply"
		readable = false
	}
	if readable {
		words = append(words, strings.Fields(g.noreply())...)
	}
	c.add(strings.Join(words, " "), g.end())
	if readable {
		c.add(value, "\r\n")
	}
	return c
}

// badLine makes a line that is no command, or one of another shape.
func (g *generator) badLine() command {
	c := command{name: "bad line", key: "noreply", fetches: keys} // as far as any key is meant
	switch g.IntN(5) {
	case 0:
		c.add(g.one("", " ", "\t", "\r", "foo", "foo bar noreply", "GET a", "Set a 0 0 1", "get\ta", "mx a", "m", "g", "s", "mgx a", "getx a",
			"gets", "get", "gat", "gats", "delete", "incr", "incr a", "decr", "touch", "touch a", "mg", "ms", "ms a", "md", "ma", "me",
			"incr a noreply", "touch a noreply", "delete a noreply noreply", "incr noreply 1", "incr a 1 2 3",
			"touch a 0 1 2", "delete a 0 1 2", "\x00get a", "\x80", "get a HTTP/1.1", "set a HTTP/1.1", "mg HTTP/1.1",
			"incr HTTP/1.1", "x HTTP", "HTTP/1.1", "bget a", "ms a x", "ms a -1", "ms a 1x", "ms a S1", "ms a 99999999999999999999",
			"verbosity", "verbosity noreply", "verbosity x", "verbosity 1 2 3", "verbosity 0 x", "flush_all x", "flush_all 0 1 2", "flush_all x noreply",
			"flush_all noreply noreply x", "stats nonsense", "stats nonsense x", "stats noreply", "stats reset", "stats reset x"), g.end())
	case 1: // words of commands, where they do not belong; none that has data, changes more than items, or is over soon
		words := []string{g.one("get", "gets", "gat", "gats", "delete", "incr", "decr", "touch", "mg", "md", "ma", "mn", "foo", "bget")}
		for range g.IntN(20) { // the newest memcached does not look at more than 23 words
			words = append(words, g.one("a", "b", "0", "100000", "-1", "noreply", "get", "q", "v", "b", "k", "C1", "N0", "x", "x"))
		}
		if len(words) == 2 && words[0] == "delete" {
			words[1] = "a" // a key noreply would not be answered
		}
		c.settled = true // a key too long is not among them, but counting after reading may be
		c.last = true
		c.add(strings.Join(words, g.one(" ", "  ")), "\r\n") // "mn\n" is too short for the newest
	case 2: // leading spaces
		c.add(strings.Repeat(" ", 1+g.IntN(90)), g.one("get a b", "delete a", "mn", "foo", "mg a v"), g.end())
	case 3: // as long as a line may be
		fill := 2046 - len("delete a") - g.IntN(3)
		c.add("delete a", strings.Repeat(" ", fill), "\r\n")
	case 4: // a long list of keys
		words := []string{g.one("get", "gets")}
		for range 50 + g.IntN(1500) {
			words = append(words, g.key())
		}
		c.add(strings.Join(words, " "), "\r\n")
	}
	return c
}

// farewells make memcached hang up.
var farewells = []string{
	"quit\r\n", "quit now\r\n", "quit noreply\r\nget a\r\n", "get a\r\nquit\r\nget a\r\n",
}

// misled are requests of another protocol. memcached hangs up; the proxy does
// too, but says why.
var misled = []string{"GET / HTTP/1.1\r\n", "POST /a HTTP/1.0\r\n", "foo HTTP/\r\n"}

// misledNewest are the inputs that only the newest memcached hangs up on.
var misledNewest = []string{"g HTTP/1.1\r\n", "sx HTTP/1.1\r\n", "getx / HTTP/1.1\r\n", "mx HTTP/1.1\r\n"}
