package config

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// Refuses returns the error for a request that the clients of p may not send, empty if they
// may.
func (p *SharedPool) Refuses(req *protocol.Request) string {
	setting := ""
	switch g, v := &p.guard, catalog.Of(req); {
	case !g.on:
		return ""
	case v != nil:
		setting = g.denies(v)
	case g.ReadOnly && req.Changes():
		setting = "read-only"
	case g.NoFlush && req.Command == protocol.FlushAll:
		setting = "flush"
	}
	switch {
	case setting != "":
		return p.Refusal(req.Name(), setting)
	case p.guard.ReadOnly && req.Command == protocol.MetaGet && req.Unplain() != 0:
		return p.Refusal(fmt.Sprintf("mg with the flag %c", req.Unplain()), "read-only")
	}
	return ""
}

// RefusesTime returns the error for a mg that carries a verb of p and asks for the time to live, if p is
// read-only so that this is unknown. Otherwise it is empty.
func (p *SharedPool) RefusesTime(req *protocol.Request) string {
	if p.guard.ReadOnly && req.Command == protocol.MetaGet && req.HasFlag('t') {
		return p.Refusal("mg with the flag t", "read-only")
	}
	return ""
}

// Refusal returns the error for what the clients of p may not do.
func (p *SharedPool) Refusal(what, setting string) string {
	return fmt.Sprintf("CLIENT_ERROR %s is not allowed in pool %s by its setting %s", what, p.Name, setting)
}

// Guarded reports whether anything is refused that clients of the pool ask for.
func (p *SharedPool) Guarded() bool { return p.guard.on }

// Denies reports whether a verb is refused.
func (p *SharedPool) Denies(v *verbs.Verb) bool { return p.guard.denies(v) != "" }
