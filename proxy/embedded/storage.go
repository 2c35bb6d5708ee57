package embedded

import "github.com/memverbs/memverbs/protocol"

var modes = map[protocol.Command]mode{
	protocol.Set:     modeSet,
	protocol.Add:     modeAdd,
	protocol.Replace: modeReplace,
	protocol.Append:  modeAppend,
	protocol.Prepend: modePrepend,
	protocol.Cas:     modeSet,
}

// set carries out the commands with a data block. The parser has seen to it
// that the numbers are numbers.
func (c *conn) set() {
	r, words := &c.request, c.split()
	p := put{mode: modes[r.Command], value: r.Data}
	flags, _ := protocol.ReadUint(words[2])
	p.flags = uint32(flags) // memcached keeps 32 bits
	exptime, _ := protocol.ReadInt(words[3])
	p.expires = c.store.expiry(exptime)
	if r.Command == protocol.Cas {
		p.compare = true
		p.cas, _ = protocol.ReadUint(words[5])
	}
	if itemSize(len(r.Key), len(p.value), p.flags) > c.store.maxItem {
		if r.Command == protocol.Set {
			c.store.remove(r.Key)
		}
		c.say(errTooLarge)
		return
	}
	if r.BadEnd {
		c.say(errChunk)
		return
	}
	_, out := c.store.put(r.Key, &p)
	c.say(classicOutcomes[out])
}

var classicOutcomes = [...]string{
	stored:    "STORED",
	notStored: "NOT_STORED",
	exists:    "EXISTS",
	notFound:  "NOT_FOUND",
}
