package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// restore is a sink that puts the stripped prefix back into the keys of a reply, and passes the reply
// on to the client. One restore serves all of the client's requests with its prefix, except those
// that need key.
type restore struct {
	client *Client
	prefix []byte
	key    []byte // the request's key, if the reply can't be parsed without it; otherwise nil
}

// restores returns the sink for a stripped request. It is the client itself if the reply has no key,
// or in the binary protocol, where package reply adds the key.
func (c *Client) restores(req *protocol.Request) upstream.Sink {
	switch {
	case c.input.binary != nil || !req.ReturnsKey():
		return c
	case len(req.Encoded) > 0 || req.Command == protocol.MetaDebug:
		return &restore{client: c, prefix: req.Prefix, key: bytes.Clone(req.Key)}
	case c.restore == nil || !bytes.Equal(c.restore.prefix, req.Prefix):
		c.restore = &restore{client: c, prefix: req.Prefix}
	}
	return c.restore
}

// Answered implements [upstream.Sink]. A large reply that has to wait for earlier ones is copied.
func (r *restore) Answered(p *upstream.Pending, a *upstream.Answer) {
	c := r.client
	if c.gone() || a.Failed() || r.begun(p) {
		if p.Loss == upstream.LossMisses { // the miss may have the key
			a.Asked = append(bytes.Clone(r.prefix), a.Asked...)
		}
		c.Answered(p, a)
		return
	}
	begin, n := r.begin(a.Data)
	if n == 0 {
		c.Answered(p, a)
		return
	}
	rest := a.Data[n:]
	size := len(begin) + len(rest)
	if size < transport.OwnBuffer {
		c.loop.scratch.stripped.Line = append(begin, rest...)
		a.Data, a.Buffer = c.loop.scratch.stripped.Line, upstream.Lent
		c.Answered(p, a)
		return
	}
	if !p.Quiet && c.takesBegun(p.Slot) { // only the complete line of a quiet reply shows whether it is sent
		c.Take(p, begin)
		a.Data, a.Buffer = rest, upstream.Lent
		c.Answered(p, a)
		return
	}
	whole := append(append(c.loop.Buffers.Get(size), begin...), rest...)
	a.Data, a.Buffer = whole, upstream.Offered
	if c.Answered(p, a); a.Buffer != upstream.Taken {
		c.loop.Buffers.Put(whole)
	}
	a.Buffer = upstream.Lent // the client may have taken over the copy, but not the connection's own buffer
}

// begun reports whether the beginning of the reply, which has the key, has been sent.
func (r *restore) begun(p *upstream.Pending) bool {
	return r.client.replies.HasBegun(p.Slot)
}

// begin returns what replaces the first n bytes of reply, in the loop's scratch.
func (r *restore) begin(reply []byte) (begin []byte, n int) {
	s := &r.client.loop.scratch.stripped
	begin, n = protocol.RestoreKey(s.Line[:0], reply, r.prefix, r.key)
	s.Line = begin
	return begin, n
}

// Streams implements [upstream.Streamer].
func (r *restore) Streams(p *upstream.Pending, pieces bool) bool { return r.client.Streams(p, pieces) }

// Straight implements [upstream.Streamer].
func (r *restore) Straight(p *upstream.Pending) *transport.Conn { return r.client.Straight(p) }

// Moved implements [upstream.Streamer].
func (r *restore) Moved(p *upstream.Pending, n int) { r.client.Moved(p, n) }

// Take implements [upstream.Streamer]. The first part has the whole line.
func (r *restore) Take(p *upstream.Pending, part []byte) {
	if r.client.gone() {
		return
	}
	if !r.begun(p) {
		begin, n := r.begin(part)
		if n > 0 {
			r.client.Take(p, begin)
		}
		part = part[n:]
	}
	r.client.Take(p, part)
}
