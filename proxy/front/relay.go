package front

import (
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// relay is the part of a sink that passes what arrives on to another sink, which the reply is for.
type relay struct{ sink upstream.Sink }

// Streams implements [upstream.Streamer].
func (r *relay) Streams(p *upstream.Pending, pieces bool) bool {
	s, ok := r.sink.(upstream.Streamer)
	return ok && s.Streams(p, pieces)
}

// Take implements [upstream.Streamer].
func (r *relay) Take(p *upstream.Pending, part []byte) { r.sink.(upstream.Streamer).Take(p, part) }

// Straight implements [upstream.Streamer].
func (r *relay) Straight(p *upstream.Pending) *transport.Conn {
	return r.sink.(upstream.Streamer).Straight(p)
}

// Moved implements [upstream.Streamer].
func (r *relay) Moved(p *upstream.Pending, n int) { r.sink.(upstream.Streamer).Moved(p, n) }

// notingRelay is a relay that notes when it has passed on a part of the reply.
type notingRelay struct {
	relay
	begun bool
}

// Take implements [upstream.Streamer].
func (r *notingRelay) Take(p *upstream.Pending, part []byte) {
	r.begun = true
	r.relay.Take(p, part)
}

// Moved implements [upstream.Streamer].
func (r *notingRelay) Moved(p *upstream.Pending, n int) {
	r.begun = true
	r.relay.Moved(p, n)
}
