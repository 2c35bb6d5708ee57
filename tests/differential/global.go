package differential

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// global makes a command that is about no item.
func (g *generator) global() command {
	c := command{name: "global"}
	c.add(g.one("version", "version foo", "version noreply", "verbosity 0", "verbosity 1", "verbosity 0 noreply", "verbosity 1 foo",
		"mn", "stats reset"), "\r\n")
	return c
}

// flush makes a flush_all. After one that acts now all keys are asked for, so
// that memcached 1.6.18, which else keeps what was flushed until somebody asks,
// can't bring anything back when it is told another time.
func (g *generator) flush() []command {
	option := g.one("", "", " 0", " -1", " -100", " 00", " 100000", " 2592000", " 2592001", " "+strconv.FormatInt(g.now+100000, 10))
	c := command{name: "flush_all", settled: true, last: true, probed: true}
	c.add("flush_all", option, g.noreply(), g.end())
	after := command{name: "get", settled: true, last: true, probed: true}
	after.add(purge)
	after.fetches = keys
	return []command{c, after}
}

// larges makes some commands with large values: at random, and then some, each answered by itself,
// that let each of the outcomes come up in every run.
func (g *generator) larges() (some []command) {
	for range 6 {
		name := g.one("set", "set", "add", "replace", "append", "cas", "ms", "ms", "get", "delete")
		some = append(some, g.large(name, g.one(largeKeys...), g.size(tooLong, nearLimit, fitting)))
	}
	key := g.one(largeKeys...)
	for _, c := range []command{
		g.large("set", key, g.size(fitting)),
		g.large("delete", key, 0),
		g.large(g.one("append", "replace"), key, g.size(tooLong, fitting)),
		largeSet(key, g.size(fitting), ""),
		largeSet(key, g.size(tooLong), " c"),
		largeSet(key, g.size(fitting), " v"),
	} {
		c.settled = true
		some = append(some, c)
	}
	return some
}

// By how many bytes large values are above the limit of an item.
var (
	tooLong   = []int{1, 1000, 500_000}
	nearLimit = []int{-300, -250, -200, -150, -100, -50, 0, 50}
	fitting   = []int{-400_000, -700_000, -500_000}
)

// size returns one of some sizes, in bytes.
func (g *generator) size(of ...[]int) int {
	sizes := of[g.IntN(len(of))]
	return 1<<20 + sizes[g.IntN(len(sizes))] + g.IntN(50)
}

// large makes a command with a value near the limit of an item, or beyond it.
func (g *generator) large(name, key string, size int) command {
	c := command{name: name + " large", fetches: []string{key}, probed: true}
	value := strings.Repeat("x", size)
	switch name {
	case "get", "delete":
		c.add(name, " ", key, "\r\n")
	case "ms":
		sent, flag := key, ""
		if g.chance(2) {
			sent, flag = base64.StdEncoding.EncodeToString([]byte(key)), " b"
		}
		c.add("ms ", sent, " ", strconv.Itoa(size), flag)
		g.shuffled(&c, key, 4, "MA", "c", "k", "q", "O", "F", "T", "C", "I", "v", "Z", "Tx", "MX")
		c.add("\r\n", value, g.blockEnd())
	case "cas":
		c.add("cas ", key, " 0 0 ", strconv.Itoa(size), " ")
		g.addID(&c, key)
		c.add(g.noreply(), "\r\n", value, g.blockEnd())
	default:
		c.add(name, " ", key, " 0 0 ", strconv.Itoa(size), g.noreply(), "\r\n", value, g.blockEnd())
	}
	return c
}

// largeSet makes an ms with a value of so many bytes and some flags.
func largeSet(key string, size int, flags string) command {
	c := command{name: "ms large", fetches: []string{key}, probed: true}
	c.add("ms ", key, " ", strconv.Itoa(size), flags, "\r\n", strings.Repeat("x", size), "\r\n")
	return c
}
