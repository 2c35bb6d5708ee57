package differential

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/tests/packet"
)

// command is one command of a stream: what is sent for it, and how.
type command struct {
	name string // what it is counted as
	text []piece

	// only is what one side alone is sent after that, because the sides do not agree
	// where a refused command ends: that is the whole of that difference. To the proxy
	// it is data that memcached would take for commands, to memcached it is bytes for
	// those that it skips too many.
	only [2]string

	protocol protocol
	opaque   uint32 // of a packet
	about    string // the key of a packet
	parting  bool   // the server hangs up; then the command ends a batch

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
	raw  bool   // the id has 8 bytes, and is not in decimal
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
			b.WriteString(p.id(known, s))
		}
	}
	return b.String() + c.only[s]
}

func (p piece) id(known *identities, s sideName) string {
	id := known.id(p.key, p.back, s)
	if p.raw {
		return packet.Number(id)
	}
	return strconv.FormatUint(id, 10)
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
	for s, text := range c.only {
		if text != "" {
			fmt.Fprintf(&b, "   and to %v only: %s", sideName(s), abridge(text))
		}
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
