package differential

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// generator makes streams of commands.
type generator struct {
	*rand.Rand
	now    int64 // seconds since 1970, for times that are dates
	modern bool  // memcached knows the E and x flags
	newest bool  // memcached is the newest, as which the proxy refuses what is odd
	dense  bool  // probes follow most commands, rather than few

	// mixed is set if both protocols are spoken. Then nothing makes items stale: a get in a
	// packet is a meta get upstream, and takes their token. And there is no noreply: the probe
	// after it may be another upstream's, and the other connection go on too early.
	mixed bool
}

// kind is a kind of command, and how often it comes.
type kind struct {
	weight int
	make   func(*generator) command
}

// kinds are those of the text protocol.
var kinds = []kind{
	{22, (*generator).store},
	{8, (*generator).cas},
	{18, (*generator).retrieve},
	{5, (*generator).getAndTouch},
	{4, (*generator).delete},
	{7, (*generator).count},
	{3, (*generator).touch},
	{14, (*generator).metaGet},
	{12, (*generator).metaSet},
	{5, (*generator).metaDelete},
	{7, (*generator).metaCount},
	{2, (*generator).metaDebug},
	{2, (*generator).metaNoop},
	{1, (*generator).global},
	{1, (*generator).lineEnd},
	{8, (*generator).badStore},
	{6, (*generator).badLine},
	{10, (*generator).badMeta},
}

// odd is how many of the kinds, the last ones, are refused by the proxy itself.
const odd = 3

// stream returns n commands or a few more.
func (g *generator) stream(n int) (stream []command) {
	kinds := kinds
	if !g.newest || g.mixed {
		kinds = kinds[:len(kinds)-odd]
	}
	g.dense = g.chance(2)
	for len(stream) < n {
		c := g.pick(kinds)
		if c.name == "cas" && g.chance(2) {
			stream = append(stream, look(c.key))
		}
		g.place(&c)
		stream = append(stream, c)
		if g.chance(400) {
			stream = append(stream, g.flush()...)
		}
		if g.chance(2500) { // they cost time
			stream = append(stream, g.larges()...)
		}
	}
	return stream
}

// pick makes a command of one of the kinds.
func (g *generator) pick(kinds []kind) command {
	total := 0
	for _, k := range kinds {
		total += k.weight
	}
	pick := g.IntN(total)
	i := 0
	for ; pick >= kinds[i].weight; i++ {
		pick -= kinds[i].weight
	}
	return kinds[i].make(g)
}

// place says what follows a command, and where it is cut.
func (g *generator) place(c *command) {
	c.last = g.chance(15)
	if c.probed = g.chance(8); g.dense {
		c.probed = !c.probed
	}
	if g.chance(4) && !c.parting {
		c.cut = 1 + g.IntN(40)
	}
}

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// one returns one of the choices.
func (g *generator) one(choices ...string) string { return choices[g.IntN(len(choices))] }

// keys are few, so that commands meet. Some are as odd as memcached takes them.
var keys = []string{
	"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "key:10", "key:11", "key:12", "key:13",
	"noreply", "0", "-1", "\x01\x7f\t", "\xff\xfe\xc3\xa4", "q",
	strings.Repeat("k", 250), strings.Repeat("long:", 49) + "12345", strings.Repeat("x", 187), "foo",
}

// binaryKeys can only be sent in base64.
var binaryKeys = []string{"a b", "key: 1", "\x00", "\x00\x01\x02\xff", "c\r", strings.Repeat(" b ", 62)}

// lineEndKey would end a line in which it were written as it is.
const lineEndKey = "k\r\nHD\r\n"

// largeKeys hold large values. They are not asked for by the dozen.
var largeKeys = []string{"large:a", "large:b"}

// longKeys are too long.
var longKeys = []string{strings.Repeat("k", 251), strings.Repeat("k", 300), strings.Repeat("k", 1000)}

// purge asks for all keys there are.
var purge = func() string {
	text := "get " + strings.Join(keys, " ") + " " + strings.Join(largeKeys, " ") + "\r\n"
	for _, key := range append([]string{lineEndKey}, binaryKeys...) {
		text += "mg " + base64.StdEncoding.EncodeToString([]byte(key)) + " b q\r\n"
	}
	return text
}()

func (g *generator) key() string {
	if g.chance(3) {
		return keys[g.IntN(len(keys))]
	}
	return keys[g.IntN(8)]
}

// keyOrLong is key, or one too long.
func (g *generator) keyOrLong() string {
	if g.chance(60) {
		return longKeys[g.IntN(len(longKeys))]
	}
	return g.key()
}

// exptime returns a time to live, as all commands take it but those of the storage
// kind, which take more. Those that are not over are apart seconds apart, and far
// away.
func (g *generator) exptime() string {
	switch g.IntN(12) {
	case 0:
		return g.one("-1", "-100", "-2147483648", "2592001", "3000000") // over
	case 1:
		return strconv.FormatInt(g.now+apart*int64(1+g.IntN(50)), 10)
	case 2:
		return g.one("2592000", "2147483647", "00002592000")
	case 3:
		if g.newest {
			return g.one("\v-1", "5000\t", "+0", "2147483648", "-2147483649", "99999999999", "000002592000", "")
		}
	case 4, 5, 6:
		return strconv.Itoa(apart * (1 + g.IntN(50)))
	}
	return g.one("0", "0", "-0", "000")
}

// storedExptime is exptime for a storage command.
func (g *generator) storedExptime() string {
	switch g.IntN(12) {
	case 0:
		return g.one("-1", "-100", "-2147483648", "2592001", "3000000") // over
	case 1:
		return strconv.FormatInt(g.now+apart*int64(1+g.IntN(50)), 10)
	case 2:
		return g.one("2592000", "2147483647", "4294967296", "4294972296", "99999999999", "9223372036854775807", "-9223372036854775808")
	case 3:
		return g.one("\v-1", "5000\t", "\f5000\r", "0\t1")
	case 4, 5, 6:
		return strconv.Itoa(apart * (1 + g.IntN(50)))
	}
	return g.one("0", "0", "+0", "000")
}

func (g *generator) clientFlags() string {
	if g.chance(2) {
		return "0"
	}
	return g.one("1", "+1", "007", "65535", "4294967295", "4294967296", "18446744073709551615", "-0", "\t5", "5\tx", "-18446744073709551615")
}

// value returns a value to store.
func (g *generator) value() string {
	switch g.IntN(12) {
	case 0:
		return ""
	case 1, 2, 3, 4:
		return g.number()
	case 5:
		return strings.Repeat("v", g.IntN(5000))
	case 6:
		// Not white space alone: looking for a number in that, memcached reads on
		// after the item.
		return g.one("\r\n.", "END\r\n", "VALUE a 0 1\r\nx\r\nEND\r\n", "a\nb\x00c\xff", ".\r", ".\n", "HD\r\n", "MN\r\nmn")
	}
	return fmt.Sprintf("value %d", g.IntN(1000))
}

// number returns a value that counts as a number, or almost does.
func (g *generator) number() string {
	if g.chance(3) {
		return g.huge()
	}
	return g.one("0", "1", "9", "10", "99", "100", "1000", " 5", "5 ", "5  ", "00012", "+7", "-1", "-5", "3x", "1.5", "\t8", "12\r\n",
		strconv.Itoa(g.IntN(2000)))
}

// huge returns a number near the end of the range. In a value as large as 2⁶³
// memcached 1.6.18 looks for a minus sign, and for as long as it finds no zero
// byte: after the item too, so what it says is a matter of luck. Nor must two
// of these make such a value when one is put before the other.
func (g *generator) huge() string {
	if !g.modern {
		return g.one("8589934592", "4294967295", "18446744073709551616", "99999999999999999999")
	}
	return g.one("18446744073709551615", "18446744073709551614", "9223372036854775807", "9223372036854775808",
		"10000000000000000000", "18446744073709551616")
}

// delta returns how much to count.
func (g *generator) delta() string {
	switch g.IntN(6) {
	case 0:
		return g.huge()
	case 1:
		return g.one("0", "1", "10", "-1", "x", "007", "1.5", "0x10")
	case 2:
		if g.newest {
			return g.one("-0", "+3", "1\t", "\v1", "0000000000000000000003", "00000000000000000000003")
		}
	}
	return strconv.Itoa(g.IntN(200))
}

// noreply returns the option, some of the time.
func (g *generator) noreply() string {
	if g.chance(7) && !g.mixed {
		return " noreply"
	}
	return ""
}

// end returns the end of a line.
func (g *generator) end() string {
	switch g.IntN(40) {
	case 0:
		return "\n"
	case 1:
		return " \r\n"
	}
	return "\r\n"
}
