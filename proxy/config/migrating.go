package config

import (
	"time"

	"github.com/memverbs/memverbs/proxy/migration"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Migrating is the move of a pool's plain keys to other servers.
type Migrating struct {
	*migration.Migration
	// Leaving are the servers that had keys and are not in the pool any more.
	Leaving []*upstream.Remote
	// Servers are those of the pool, and after them those that leave.
	Servers []migration.Server
	// Fresh says that it began with this process.
	Fresh bool
	// upstreams are those of Leaving.
	upstreams []Upstream
}

// underWay reports whether keys are moving.
func (g *Migrating) underWay() bool { return g != nil && !g.Over() }

// of returns the migration itself, nil if there is none.
func (g *Migrating) of() *migration.Migration {
	if g == nil {
		return nil
	}
	return g.Migration
}

// status returns how far it is.
func (g *Migrating) status() status.Move {
	phase, _, underWay := g.Phase(time.Now())
	if !underWay {
		return status.Move{}
	}
	return status.Move{
		Phase: phase.String(), Began: g.Began(), Servers: len(g.Servers),
		Unswept: len(g.Servers) - int(g.Tally.Swept.Load()), Waits: g.Waits(),
	}
}
