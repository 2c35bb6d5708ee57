package proxy

import "bytes"

// located is the key that was looked up last. A request has its key looked up
// several times on its way, and that can cost more than all else.
type located struct {
	key      []byte
	upstream *gate
}

// locate returns the upstream that owns key.
func (l *loop) locate(key []byte) *gate {
	if len(l.upstreams) == 1 {
		return l.upstreams[0]
	}
	if l.located.upstream == nil || !bytes.Equal(key, l.located.key) {
		l.located.key = append(l.located.key[:0], key...)
		l.located.upstream = l.upstreams[l.server.layout.Locate(key)]
	}
	return l.located.upstream
}

// Upstream implements [verbs.Env].
func (l *loop) Upstream(structure []byte) string { return l.locate(structure).Name }
