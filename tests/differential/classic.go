package differential

import (
	"slices"
	"strconv"
	"strings"
)

// store makes a set, add, replace, append or prepend.
func (g *generator) store() command {
	name := g.one("set", "set", "set", "set", "add", "replace", "append", "prepend")
	c := command{name: name}
	value := g.value()
	length, end := g.length(value)
	c.add(name, " ", g.key(), " ", g.clientFlags(), " ", g.storedExptime(), " ", length, g.surplus(), g.end())
	c.add(value, end)
	return c
}

// length writes the length of a value, and the end of the data block.
func (g *generator) length(value string) (length, end string) {
	length = g.one("", "", "", "", "", "0", "00") + strconv.Itoa(len(value))
	if g.newest && len(value) < 1000 && g.chance(40) {
		// Such a length the newest memcached does not read, and takes the data for the
		// next commands. So does the proxy.
		return g.one("\t", "\v+", "+") + length + g.one("", "\r", "\t", "\t1", "\f-"), "\r\n"
	}
	return length, g.blockEnd()
}

// surplus returns the one word that may follow the numbers.
func (g *generator) surplus() string {
	if g.chance(20) {
		return g.one(" foo", " 0", " NOREPLY", " q")
	}
	return g.noreply()
}

// blockEnd returns the end of a data block: now and then not that, but as long.
func (g *generator) blockEnd() string {
	if g.chance(25) {
		return g.one("xy", "\n\r", "x\n", "\r\r", "\x00\x00")
	}
	return "\r\n"
}

// cas makes a cas, with the id that the item has, had, or never had.
func (g *generator) cas() command {
	key, value := g.key(), g.value()
	c := command{name: "cas", key: key}
	length, end := g.length(value)
	c.add("cas ", key, " ", g.clientFlags(), " ", g.storedExptime(), " ", length, " ")
	g.addID(&c, key)
	c.add(g.surplus(), g.end(), value, end)
	return c
}

// look makes a gets, whose answer is waited for, so that the id is known.
func look(key string) command {
	c := command{name: "gets", last: true, fetches: []string{key}}
	c.add("gets ", key, "\r\n")
	return c
}

// addID adds a CAS id: most often one that the item has had.
func (g *generator) addID(c *command, key string) {
	switch g.IntN(6) {
	case 0:
		if g.newest && g.chance(3) {
			c.add(g.one("+0", "-1", "1\t", "x"))
			return
		}
		c.add(g.one("0", "18446744073709551615", "9223372036854775808", "00"))
	case 1:
		c.addID(key, 1+g.IntN(3))
	default:
		c.addID(key, 0)
	}
}

// retrieve makes a get or gets.
func (g *generator) retrieve() command {
	name := g.one("get", "gets", "gets", "get")
	return g.retrieval(name, name)
}

// getAndTouch makes a gat or gats.
func (g *generator) getAndTouch() command {
	name := g.one("gat", "gats")
	exptime := g.exptime()
	if g.chance(30) {
		exptime = g.one("x", "9223372036854775808", "--1", "1x", "0x1")
	}
	return g.retrieval(name, name+" "+exptime)
}

// longestGat is how many bytes of keys a gat or gats has at most. Of one longer than 2048 bytes, of
// which the end has not come yet, memcached thinks that it is no command, and ends the connection.
const longestGat = 1500

func (g *generator) retrieval(name, start string) command {
	c := command{name: name}
	words := []string{start}
	length := 0
	for range g.howMany() {
		key := g.key()
		if length += len(key) + 2; name[1] == 'a' && length > longestGat {
			break
		}
		c.fetches = append(c.fetches, key)
		words = append(words, key)
	}
	if g.chance(60) && len(words) < 5 {
		// memcached drops what it has not sent yet when it refuses this. Of a
		// line too long to be kept whole, the proxy has answered a part by then.
		c.settled = true
		words = append(slices.Insert(words, 1+g.IntN(len(words)), longKeys[g.IntN(2)]), "a") // lest noreply be the last
	}
	c.add(strings.Join(words, g.one(" ", " ", " ", "  ")), g.end())
	return c
}

func (g *generator) howMany() int {
	switch g.IntN(10) {
	case 0:
		return 1 + g.IntN(100)
	case 1:
		if g.newest {
			return 0
		}
	case 2, 3, 4:
		return 2 + g.IntN(8)
	}
	return 1
}

func (g *generator) delete() command {
	c := command{name: "delete"}
	key, more := g.keyOrLong(), g.one("", "", "", "", "", "", " 0")
	if g.newest {
		more = g.one("", "", "", "", "", "", " 0", " 5", " 0 1", " noreply 0", " 1 2 3 4")
	}
	if key == "noreply" && more == "" { // which the newest memcached does not answer
		more = " 0"
	}
	c.add("delete ", key, more, g.noreply(), g.end())
	return c
}

// count makes an incr or decr.
func (g *generator) count() command {
	name := g.one("incr", "decr")
	c := command{name: name, key: g.keyOrLong()}
	c.add(name, " ", c.key, " ", g.delta(), g.surplus(), g.end())
	return c
}

func (g *generator) touch() command {
	c := command{name: "touch"}
	exptime := g.exptime()
	if g.chance(10) {
		exptime = g.one("x", "1x", "--1", "9223372036854775808")
	}
	c.add("touch ", g.keyOrLong(), " ", exptime, g.surplus(), g.end())
	return c
}
