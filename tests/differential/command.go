package differential

import (
	"fmt"
	"strconv"
	"strings"
)

// command is one command of a stream: what is sent for it, and how.
type command struct {
	name string // what it is counted as
	text []piece

	// block is the data of a command that memcached refuses before it looks
	// for data, and would take for commands. The proxy swallows it, so it is
	// sent to the proxy only: that is the whole of that difference.
	block string

	key     string   // that a counting command is about
	fetches []string // keys of which memcached may still be sending the item

	settled bool // is sent only when everything before it has been answered
	last    bool // ends a batch
	probed  bool // is followed by a probe
	cut     int  // where what is sent is cut in two, or 0
}

// piece is a part of a command: text, or the CAS id of an item, which is
// another number on each side.
type piece struct {
	text string
	key  string // whose id is meant, if not empty
	back int    // how many ids ago
}

// add appends text.
func (c *command) add(parts ...string) {
	c.text = append(c.text, piece{text: strings.Join(parts, "")})
}

// addID appends the id that the item had when it was last seen, or earlier.
func (c *command) addID(key string, back int) {
	c.text = append(c.text, piece{key: key, back: back})
}

// render returns what is sent to one side.
func (c *command) render(known *identities, s sideName) string {
	var b strings.Builder
	for _, p := range c.text {
		if b.WriteString(p.text); p.key != "" {
			b.WriteString(strconv.FormatUint(known.id(p.key, p.back, s), 10))
		}
	}
	if s == proxied {
		b.WriteString(c.block)
	}
	return b.String()
}

// String shows the command to whoever has to understand a difference.
func (c *command) String() string {
	var b strings.Builder
	for _, p := range c.text {
		if b.WriteString(p.text); p.key != "" {
			fmt.Fprintf(&b, "<id of %q, %d back>", p.key, p.back)
		}
	}
	text := abridge(b.String())
	b.Reset()
	b.WriteString(text)
	if c.block != "" {
		fmt.Fprintf(&b, "   and to the proxy only: %s", abridge(c.block))
	}
	if c.settled {
		b.WriteString("   (after all answers)")
	}
	return b.String()
}

// abridge quotes text, leaving out the middle of a long one.
func abridge(text string) string {
	const most = 200
	if len(text) <= most {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%q…%d bytes…%q", text[:most/2], len(text)-most, text[len(text)-most/2:])
}
