package differential

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// metaKey returns a key for a meta command as it is sent, and the flag that
// says so if that is base64.
func (g *generator) metaKey() (key, sent, flag string) {
	switch {
	case g.chance(12):
		key = binaryKeys[g.IntN(len(binaryKeys))]
	case g.chance(8):
		key = g.key()
	case g.newest && g.chance(60): // older ones look at the flags before the key
		key = longKeys[g.IntN(len(longKeys))]
		return key, key, ""
	default:
		key = g.key()
		return key, key, ""
	}
	if sent = base64.StdEncoding.EncodeToString([]byte(key)); len(sent) > 250 {
		return "a", "YQ==", " b"
	}
	return key, sent, " b"
}

// shuffled returns some of the flags, in any order, each once.
func (g *generator) shuffled(c *command, key string, most int, flags ...string) {
	g.Shuffle(len(flags), func(i, j int) { flags[i], flags[j] = flags[j], flags[i] })
	for _, f := range flags[:min(g.IntN(most+1), len(flags))] {
		if f == "I" && g.mixed {
			continue
		}
		if (f == "E" || f == "x") && !g.modern && !g.chance(20) {
			continue
		}
		switch f {
		case "C":
			c.add(" C")
			g.addID(c, key)
		case "E": // far from what memcached counts, so that both sides compare alike
			c.add(" E", g.one("1", "2", "1000000000000000", strconv.Itoa(1_000_000_000_000+g.IntN(1000)), "18446744073709551615"))
		case "N", "T":
			c.add(" ", f, g.exptime())
		case "R":
			c.add(" R", g.one("0", "30", "500", "20500", "2000000000", "-1"))
		case "O":
			c.add(" O", g.one("", "1", "opaque", "c5", strings.Repeat("o", 31)))
		case "F":
			c.add(" F", g.one("0", "1", "007", "65535", "4294967295"))
		case "J", "D":
			c.add(" ", f, g.one("0", "1", "5", "10", "1000", g.huge()))
		case "P", "L":
			c.add(" ", f, g.one("", "hint", "/a/path"))
		default:
			c.add(" ", f)
		}
	}
}

func (g *generator) metaGet() command {
	key, sent, flag := g.metaKey()
	c := command{name: "mg", fetches: []string{key}}
	c.add("mg ", sent, flag)
	g.shuffled(&c, key, 9, "v", "k", "c", "f", "s", "t", "h", "l", "u", "q", "O", "N", "R", "T", "E", "P", "L")
	c.add(g.end())
	return c
}

func (g *generator) metaSet() command {
	key, sent, flag := g.metaKey()
	c := command{name: "ms"}
	value := g.value()
	if len(sent) > 250 && !g.newest {
		c.only[proxied] = value + "\r\n"
	}
	length, end := g.length(value)
	c.add("ms ", sent, " ", length, flag)
	mode := g.one("MS", "ME", "MA", "MA", "MP", "MR")
	flags := []string{mode, "c", "k", "q", "O", "F", "T", "C", "I", "s", "N", "P", "L"}
	if g.chance(4) {
		// Of an ms that goes wrong memcached keeps the new id for whatever the
		// connection stores next.
		flags, end = append(flags, "E"), "\r\n"
	} else if g.chance(20) {
		if flags[0] = g.one("Ms", "MX"); g.newest {
			flags[0] = g.one("Ms", "MX", "M", "MSS", "MRx")
		}
	}
	if g.chance(2) {
		flags = flags[1:] // a mode is chosen too seldom among so many
		c.add(" ", mode)
	}
	g.shuffled(&c, key, 7, flags...)
	c.add(g.end())
	if c.only[proxied] == "" {
		c.add(value, end)
	}
	return c
}

func (g *generator) metaDelete() command {
	key, sent, flag := g.metaKey()
	c := command{name: "md"}
	c.add("md ", sent, flag)
	g.shuffled(&c, key, 5, "I", "T", "C", "E", "k", "O", "q", "x", "P", "L")
	c.add(g.end())
	return c
}

// metaCount makes an ma.
func (g *generator) metaCount() command {
	key, sent, flag := g.metaKey()
	c := command{name: "ma", key: key}
	c.add("ma ", sent, flag)
	mode := "M" + g.one("I", "+", "D", "-")
	if g.modern && g.chance(5) { // an older one would complain of other flags first
		mode = "M" + g.one("i", "X")
	}
	flags := []string{"N", "J", "D", mode, "v", "t", "c", "k", "O", "C", "E", "T", "P", "L"}
	if g.newest || g.chance(2) {
		flags = append(flags, "q")
	}
	if !g.newest && flags[len(flags)-1] == "q" { // of an item that it makes, an older one tells all the same
		flags = flags[1:]
	}
	g.shuffled(&c, key, 8, flags...)
	c.add(g.end())
	return c
}

// lineEnd makes a command for the key with line ends in it. Of an item that was
// stored by an ms memcached remembers that it has to be written in base64, so
// here nothing else makes one.
func (g *generator) lineEnd() command {
	c := command{name: "line end"}
	sent := base64.StdEncoding.EncodeToString([]byte(lineEndKey))
	switch g.IntN(4) {
	case 0:
		value := g.value()
		c.add("ms ", sent, " ", strconv.Itoa(len(value)), " b")
		g.shuffled(&c, lineEndKey, 4, "k", "c", "q", "O", "T", "F")
		c.add("\r\n", value, "\r\n")
		return c
	case 1:
		c.add("md ", sent, " b")
		g.shuffled(&c, lineEndKey, 3, "k", "q", "O", "I")
	default:
		c.add("mg ", sent, " b")
		g.shuffled(&c, lineEndKey, 10, "k", "q", "O", "v", "s", "t", "f", "c", "h", "u", "L", "T")
	}
	c.add("\r\n")
	return c
}

func (g *generator) metaDebug() command {
	key, sent, flag := g.metaKey()
	c := command{name: "me"}
	if len(key) > 200 { // 1.6.18 cuts the answer short
		sent, flag = "a", ""
	}
	if flag != "" && g.newest { // which overlooks it where nothing follows
		flag += " v"
	}
	c.add("me ", sent, flag, g.one("", "", "", " v", " q q"), g.end())
	return c
}

func (g *generator) metaNoop() command {
	c := command{name: "mn"}
	c.add("mn", g.one("", "", "", " foo", " noreply"), "\r\n") // "mn\n" is too short for the newest
	return c
}

// badMeta makes a meta command whose flags are not as they should be.
func (g *generator) badMeta() command {
	name := g.one("mg", "ms", "md", "ma")
	key := g.key()
	c := command{name: name + " badly", key: key, fetches: []string{key}}
	flags := g.one(
		"v v", "q q", "k q q", "! q", "q ! q", "Tx", "Nx", "Rx", "Cx", "Ex", "Fx", "Jx", "Dx", "T", "C", "M", "MII", "MSS", "k T1x Cx", "Cx Jx",
		"O"+strings.Repeat("o", 32), "q O"+strings.Repeat("o", 40), "O"+strings.Repeat("o", 31)+" v",
		"\xff", "noreply", "b", "b k q", "b b", "S5", "1", "-", "q MX", "MX q",
		"MII", "k T2147483648", "T+1", "C-0", "F4294967296", "D+1", "J\t1", "v .", "\x80", "~", "Z -", "v v -",
		g.manyFlags(15), g.manyFlags(16), g.manyFlags(17), g.manyFlags(18), g.manyFlags(19), g.manyFlags(30),
		"k s t c f v h l u I O P L q T0 F1 N0", "k s t c f v h l u I O P L x T0 F1", "k s t c f v h l u I O P L T0 F1 q",
	)
	if name == "ma" && strings.Contains(flags, "oooo") { // memcached counts before it finds that too long
		flags = "v v"
	}
	if name != "ms" {
		c.add(name, " ", key, " ", flags, g.end())
		if name == "mg" && strings.Contains(flags, "oooo") { // memcached has noted a hit before it finds that too long
			c.add("get ", key, "\r\n")
		}
		return c
	}
	value := g.value()
	c.add("ms ", key, " ", strconv.Itoa(len(value)), " ", flags, g.end())
	if spoilt(flags) { // the newest memcached takes the data for the next commands
		c.only[proxied] = value + "\r\n"
	} else {
		c.add(value, g.blockEnd())
	}
	return c
}

// spoilt reports whether one of the flags is none at all.
func spoilt(flags string) bool {
	return slices.ContainsFunc(strings.Fields(flags), func(flag string) bool {
		return (flag[0] < 'A' || flag[0] > 'z') && (flag[0] < '0' || flag[0] > '9')
	})
}

// manyFlags returns n flags, of which the proxy must not lose count.
func (g *generator) manyFlags(n int) string {
	words := strings.Fields("k s t c f v h l u I O P L q Q Z z w y j g p n m")
	g.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	for len(words) < n {
		words = append(words, fmt.Sprintf("O%d", len(words)))
	}
	return strings.Join(words[:n], " ")
}
