package binary

import "github.com/memverbs/memverbs/protocol"

// Refusals, from which [Form] makes packets.
const (
	errUnknown = "ERROR"
	errInvalid = "CLIENT_ERROR Invalid arguments"
)

// maxBody is how many bytes the newest memcached accepts after a header. It refuses a longer packet
// at once, whatever its opcode.
const maxBody = 1 << 30

// Parser reads the packets of one client. The zero value, with its limit set, is ready for a new
// connection.
type Parser struct {
	// MaxData is the longest value accepted, in bytes.
	MaxData int

	// SASL says that clients authenticate; otherwise the commands for that are unknown, as in
	// memcached.
	SASL bool

	// Need is, after [protocol.Partial], the total length in bytes of the request being
	// received, or 0 while that is unknown.
	Need int

	// MaxKeys is how many keys of quiet gets that follow each other one request has at most; 1 or
	// less if they are not bundled.
	MaxKeys int

	// Bundled are, after Ready, the forms of the packets that were bundled with the first: of the
	// further keys of the request. It is valid until the next call.
	Bundled []Form

	skip    int    // bytes of a refused request still to come
	key     []byte // buffer for a key that is sent in base64
	encoded []byte // buffer for its base64
	flags   []byte // buffer for the flags of a meta command
	words   []byte // buffer for the keys of a bundle
}

// Next reads one packet from the start of buf. It returns how many bytes it consumed, whatever
// the status, and fills in req and form if the status is Ready or Broken. After Partial, call
// again with the unconsumed bytes followed by more. A broken request without a Refusal is not
// answered.
func (p *Parser) Next(buf []byte, req *protocol.Request, form *Form) (n int, status protocol.Status) {
	if len(buf) < p.Need {
		return 0, protocol.Partial
	}
	p.Need, p.Bundled = 0, p.Bundled[:0]
	if n = min(p.skip, len(buf)); n > 0 {
		p.skip -= n
		buf = buf[n:]
	}
	switch {
	case len(buf) == 0:
		return n, protocol.Partial
	case buf[0] != Magic:
		return n, broken(req, form, "")
	case len(buf) < headerSize:
		return n, protocol.Partial
	}
	h := readHeader(buf)
	c := &commands[h.opcode]
	*form = Form{opcode: h.opcode, opaque: h.opaque}
	switch {
	case h.extras+h.key > h.body:
		return n, broken(req, form, errUnknown)
	case h.key > protocol.MaxKey || h.body > maxBody:
		return n, broken(req, form, errInvalid)
	case !c.known(p.SASL):
		req.Reset(protocol.Unknown)
		req.Refusal = errUnknown
		p.skip = h.body
		return n + headerSize, protocol.Ready
	case !c.fits(&h):
		return n, broken(req, form, errInvalid)
	}
	used, status := p.complete(buf, &h, c, req, form)
	return n + used, status
}

func broken(req *protocol.Request, form *Form, why string) protocol.Status {
	req.Reset(protocol.Unknown)
	req.Refusal, form.last = why, true
	return protocol.Broken
}

// complete reads the packet at the start of buf whose header is h, if all of it is there.
func (p *Parser) complete(buf []byte, h *header, c *command, req *protocol.Request, form *Form) (int, protocol.Status) {
	start := headerSize + h.extras + h.key // of the value
	size := h.value()
	tooLarge := size > p.MaxData && c.hasValue()
	need := start + size
	if tooLarge {
		need = start
	}
	if len(buf) < need {
		p.Need = need
		return 0, protocol.Partial
	}
	p.translate(buf, h, c, req)
	form.keep(c, req)
	if tooLarge {
		if req.Refusal == "" {
			req.RefuseAsTooLarge()
		}
		p.skip = size
		return start, protocol.Ready
	}
	if c.hasValue() {
		req.Data = buf[start:need]
	}
	if c.bundles() && req.Command == protocol.Gets {
		need += p.bundle(buf[need:], req)
	}
	return need, protocol.Ready
}

// GiveUp refuses the request being received, of which buf is the start, instead of waiting for
// the rest of its value; that rest is skipped when it arrives. It returns how many bytes of buf
// it consumed, and false if the key is not complete yet: then the stream can't be continued.
func (p *Parser) GiveUp(buf []byte, req *protocol.Request, form *Form) (n int, ok bool) {
	most := p.MaxData
	p.MaxData, p.Need = -1, 0
	n, status := p.Next(buf, req, form)
	p.MaxData = most
	if status != protocol.Ready || p.skip == 0 {
		return n, false
	}
	req.RefuseForMemory()
	return n, true
}

// Memory returns how much memory the parser keeps for the next packets, in bytes: a bundle may need tens
// of kilobytes.
func (p *Parser) Memory() int {
	return cap(p.Bundled)*formSize + cap(p.key) + cap(p.encoded) + cap(p.flags) + cap(p.words)
}

// Shed frees that memory. No request of the parser may be in use.
func (p *Parser) Shed() { p.Bundled, p.key, p.encoded, p.flags, p.words = nil, nil, nil, nil, nil }
