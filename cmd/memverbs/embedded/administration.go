package embedded

import (
	"strconv"
	"strings"
)

// version is the version that the store imitates. From 1.6.20 on the proxy appends or
// creates in one round trip.
const version = "1.6.45-embedded"

// flushAll carries out flush_all, with or without a delay.
func (c *conn) flushAll() {
	c.store.counts.flushes.Add(1)
	c.store.flushAll(c.request.Exptime)
	c.say("OK")
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
	case "items", "slabs", "sizes": // there are no slab classes to tell of
		c.say("END")
	case "settings": // with a port, as memcached has it, though none is used
		c.say("STAT tcpport 0\r\nSTAT item_size_max " + strconv.Itoa(c.store.maxItem) + "\r\nEND")
	case "reset":
		c.store.counts.reset()
		c.say("RESET")
	default:
		c.say(errUnknown)
	}
}
