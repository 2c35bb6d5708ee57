package route

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/shadow"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Shadow is a pool to which a share of the keys of a route is sent too (package shadow). Nobody waits for its answers.
type Shadow struct {
	pool  *Pool
	share shadow.Share
}

// shadowPart is the part of what may be in flight on a connection that shadowed requests may take, since the shadow's server may
// have clients of its own.
const shadowPart = 2

// Has reports whether requests on a key, as it is stored, are sent to the shadow.
func (s *Shadow) Has(stored []byte) bool { return s.share.Has(stored) }

// Takes returns the server to which a request on a key, with size bytes of data, can be sent at once. It returns nil if there is
// none: the server is down or behind, or memory is short. The request is counted either way.
func (s *Shadow) Takes(command protocol.Command, stored []byte, size int) *pool.Member {
	u := s.pool.Owner(stored)
	if u.State != upstream.Up || !u.First.HasRoom(shadowPart) || command.Meta() && !u.Version.AtLeast(upstream.MetaCommands) ||
		size >= upstream.Large && !s.pool.Env.HasMemory(size) {
		s.count(status.ShadowUnsent)
		return nil
	}
	s.count(status.ShadowSent)
	return u
}

// Answered implements [upstream.Sink]. It counts errors.
func (s *Shadow) Answered(_ *upstream.Pending, a *upstream.Answer) {
	if a.IsError() {
		s.count(status.ShadowErrors)
	}
}

// Compare counts what both pools have answered to a get of one key.
func (s *Shadow) Compare(both shadow.Both) {
	if difference := both.Difference(); difference != shadow.Unknown {
		s.count(differences[difference])
	}
}

var differences = [...]status.PoolCounter{
	shadow.InBoth:     status.ShadowInBoth,
	shadow.OnlyMain:   status.ShadowOnlyMain,
	shadow.OnlyShadow: status.ShadowOnlyShadow,
	shadow.InNeither:  status.ShadowInNeither,
}

func (s *Shadow) count(c status.PoolCounter) { s.pool.Stats.Verbs.Pool[c]++ }
