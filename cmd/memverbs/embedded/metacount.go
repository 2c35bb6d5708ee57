package embedded

import "strconv"

// metaCount carries out ma.
func (c *conn) metaCount() {
	f := c.metaFlags()
	d := delta{amount: f.amount, down: c.request.Mode == 'D' || c.request.Mode == '-'}
	var text []byte
	code := "HD"
	c.store.update(c.request.Key, func(old *item, now int64) *item {
		next, number, failure := c.counted(old, &f, d)
		if failure != "" {
			code = failure
			return old
		}
		text = number
		next.cas, next.stored = f.newCAS, now
		if next.cas == 0 {
			next.cas = c.store.nextCAS()
		}
		c.tellCount(next, &f, now, text, old == nil)
		return next
	})
	switch {
	case code == errNumber:
		c.say(code)
	case code != "HD":
		c.finish(code, &f)
	case f.has('v'):
		c.send(text)
	default:
		c.send(nil)
	}
}

// counted returns the item by which ma replaces old, and its number, or the failure.
func (c *conn) counted(old *item, f *flags, d delta) (next *item, text []byte, failure string) {
	switch {
	case old == nil && f.has('N'):
		text = strconv.AppendUint(nil, f.initial, 10)
		return &item{content: content{value: text}}, text, ""
	case old == nil:
		return nil, nil, "NF"
	case len(old.value) > 0 && f.cas != 0 && f.cas != old.cas:
		return nil, nil, "EX"
	}
	next, text, ok := old.count(d)
	if !ok {
		return nil, nil, errNumber
	}
	return next, text, ""
}

// tellCount carries out the flags in order, some of which change the item, and formats
// the reply.
func (c *conn) tellCount(it *item, f *flags, now int64, text []byte, created bool) {
	c.hit(f, len(text))
	for word := range f.request.MetaFlags() {
		switch word[0] {
		case 'T':
			it.expires = f.expires
		case 'N':
			if created {
				it.expires = f.createExpires
			}
		case 'c', 't':
			c.tell(word, it, now)
		default:
			c.echo(word, f.has('b'))
		}
	}
}
