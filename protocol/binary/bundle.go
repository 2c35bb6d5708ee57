package binary

import "github.com/memverbs/memverbs/protocol"

// Clients ask for many keys with a quiet packet for each key, followed by a packet that is always
// answered. The quiet packets become one retrieval (a bundle), which costs an upstream a fraction
// of separate requests. Its reply is divided again by the keys.

// bundle adds to req, a retrieval, the keys of the packets at the start of buf that can be bundled
// with it. It returns their length, in bytes.
func (p *Parser) bundle(buf []byte, req *protocol.Request) (used int) {
	for 1+len(p.Bundled) < p.MaxKeys {
		key, form, n := nextQuietGet(buf[used:])
		if n == 0 {
			break
		}
		if len(p.Bundled) == 0 {
			p.words = append(p.words[:0], req.Words...)
		}
		p.words = append(append(p.words, ' '), key...)
		p.Bundled = append(p.Bundled, form)
		used += n
	}
	if used > 0 {
		req.SetRetrieval(protocol.Gets, p.words, 1+len(p.Bundled), true)
	}
	return used
}

// nextQuietGet returns the key and the form of the packet at the start of buf, and its length in
// bytes; 0 if it is not complete, or not one to be bundled.
func nextQuietGet(buf []byte) (key []byte, form Form, n int) {
	if len(buf) < headerSize || buf[0] != Magic || !Bundles(buf[1]) {
		return nil, form, 0
	}
	h := readHeader(buf)
	c := &commands[h.opcode]
	n = headerSize + h.key
	if h.extras+h.key > h.body || h.key > protocol.MaxKey || !c.fits(&h) || len(buf) < n {
		return nil, form, 0
	}
	if key = buf[headerSize:n]; odd(key) {
		return nil, form, 0
	}
	return key, Form{opcode: h.opcode, opaque: h.opaque, keyed: c.keyed}, n
}
