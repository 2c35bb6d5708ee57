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

// set carries out the commands with a data block.
func (c *conn) set() {
	r := &c.request
	p := put{mode: modes[r.Command], value: r.Data, flags: r.Flags, expires: c.store.expiry(r.Exptime)}
	if r.Command == protocol.Cas {
		p.compare, p.cas = true, r.Number
	}
	if itemSize(len(r.Key), len(p.value), p.flags) > c.store.maxItem {
		if r.Command == protocol.Set {
			c.store.remove(r.Key)
		}
		c.say(errTooLarge)
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
