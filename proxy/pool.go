package proxy

// pool is the upstreams of a loop, and which of them owns a key. It never changes, so
// what is in flight may hold on to the one that it began with, whichever is the loop's
// by then.
type pool struct {
	layout interface{ Locate(key []byte) int }
	all    []*gate
}

// newPool returns a pool of the upstreams that the server was configured with.
func newPool(l *loop) *pool {
	p := &pool{layout: l.server.layout}
	for i := range l.server.config.Upstreams {
		p.all = append(p.all, newGate(l, i))
	}
	return p
}

// owner returns the upstream that owns key.
func (p *pool) owner(key []byte) *gate {
	if len(p.all) == 1 {
		return p.all[0]
	}
	return p.all[p.layout.Locate(key)]
}
