package embedded

// metaSet carries out ms.
func (c *conn) metaSet() {
	f := c.metaFlags()
	r := &c.request
	if itemSize(len(r.Key), len(r.Data), f.clientFlags) > c.store.maxItem {
		c.store.remove(r.Key) // whatever the mode
		c.say(errTooLarge)
		return
	}
	it, out := c.store.put(r.Key, &put{
		mode:    mode(r.Mode),
		value:   r.Data,
		flags:   f.clientFlags,
		expires: f.expires,
		encoded: f.has('b'),

		compare:    f.has('C'),
		cas:        f.cas,
		newCAS:     f.newCAS,
		invalidate: f.has('I'),

		create:        f.has('N'),
		createExpires: f.createExpires,
	})
	c.tellPut(&f, it, out)
}

var metaOutcomes = [...]string{
	stored:    "HD",
	notStored: "NS",
	exists:    "EX",
	notFound:  "NF",
}

// tellPut answers ms. If the item was not stored, the CAS is 0, and the size is the length of
// the data.
func (c *conn) tellPut(f *flags, it *item, out outcome) {
	var cas uint64
	size := len(c.request.Data)
	if it != nil {
		cas, size = it.cas, len(it.value)
	}
	c.code(metaOutcomes[out])
	for word := range f.request.MetaFlags() {
		switch word[0] {
		case 'c':
			c.number('c', cas)
		case 's':
			c.number('s', uint64(size))
		default:
			c.echo(word, f.has('b'))
		}
	}
	c.send(nil)
}
