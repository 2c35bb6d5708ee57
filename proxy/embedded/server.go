package embedded

import (
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/protocol"
)

// version tells what the store is like: from 1.6.20 on a memcached appends or
// creates in one round trip, which the proxy makes use of.
func (c *conn) version() { c.say("VERSION 1.6.38-embedded") }

func (c *conn) metaNoop() { c.say("MN") }

// verbosity is accepted for the sake of clients that set it.
func (c *conn) verbosity() {
	level, _ := protocol.NextWord(c.request.Words)
	_, ok := protocol.ReadUint(level)
	switch {
	case c.request.NumWords == 0:
		c.say(errUnknown)
	case !ok:
		c.say(errFormat)
	default:
		c.say("OK")
	}
}

// flushAll carries out flush_all, which may be told when.
func (c *conn) flushAll() {
	word, _ := protocol.NextWord(c.request.Words)
	delay, ok := protocol.ReadInt(word)
	switch {
	case c.request.NumWords > 0 && !ok:
		c.say(errExptime)
	default:
		c.store.counts.flushes.Add(1)
		c.store.flushAll(delay)
		c.say("OK")
	}
}

// stats carries out stats, and stats reset.
func (c *conn) stats() {
	switch string(c.request.Words) {
	case "":
		var lines strings.Builder
		for _, stat := range c.store.stats() {
			lines.WriteString("STAT " + stat.name + " " + strconv.FormatUint(stat.value, 10) + "\r\n")
		}
		c.say(lines.String() + "END")
	case "settings":
		c.say("STAT item_size_max " + strconv.Itoa(c.store.maxItem) + "\r\nEND")
	case "reset":
		c.store.counts.reset()
		c.say("RESET")
	default:
		c.say(errUnknown)
	}
}
