package config

import (
	"time"

	"github.com/memverbs/memverbs/proxy/placement"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/sharding"
)

// Places is how verbs find structures while the servers of a pool change.
type Places struct {
	// List is the present list of servers. Without servers, structures are always where Layout of the pool says.
	List placement.List
	// LayoutOf returns the layout of another list, nil if it can't be known.
	LayoutOf func(placement.List) sharding.Layout
	// Settle is how long it may take until all proxies know of a change; 0 if there is only one.
	Settle time.Duration
	// Rebuild returns what a list of servers means for the pool. It may be nil if no items move.
	Rebuild func(list []string) (Found, error)
	// Moves has plain keys move to other servers together with their items when the list changes.
	Moves bool
	// WarmFrom is the name of a pool whose items are moved to this one, empty if there is none.
	WarmFrom string
	// Unconfirmed allows verbs though what lists the servers has not answered for half of Settle.
	Unconfirmed bool
}

// placesOf returns where the structures of a pool are. before is the pool of that name that was used so far, nil if there is none.
func placesOf(p *Pool, before *SharedPool) *placement.Places {
	if len(p.Placing.List.Servers) == 0 {
		return nil
	}
	if before == nil || before.Places == nil {
		return placement.NewPlaces(placement.New(p.Placing.List), p.Placing.Settle, p.confirmed())
	}
	return before.Places.Change(p.Placing.List, p.Placing.Settle, p.confirmed())
}

// confirmed returns what reports whether the list of servers has been confirmed lately; nil if it need not be.
func (p *Pool) confirmed() func() bool {
	if p.Discovery == nil || p.Placing.Unconfirmed || p.Placing.Settle == 0 {
		return nil
	}
	watch, within := p.Discovery.Watch, p.Placing.Settle/2
	return func() bool { return time.Since(watch.State().Answered) < within }
}

// Learn takes what the servers of the pool have recorded of the lists that other proxies use. If this process does not know the
// list that others use now, a server of it that was not found counts as away: for the other proxies it may be. A list that
// it knows is one that it has used before, whose servers may have left since.
func (p *SharedPool) Learn(records []placement.Record) {
	before := p.Places.History()
	p.Places.Learn(records, p.Placing.LayoutOf)
	for _, r := range records {
		if p.Discovery != nil && !before.Knows(r[:1]) {
			p.Discovery.Expect(r[0].Servers)
		}
	}
}

// KeepsRecord reports whether the servers of the pool are to have a record of its lists.
func (p *SharedPool) KeepsRecord() bool {
	return p.Places != nil && p.Placing.Settle > 0 && !p.Guard.ReadOnly && (p.Discovery != nil || p.Placing.Moves || p.Places.History().Changed())
}

// ShortestSettle returns the shortest Settle of the pools that keep records, an hour if none does.
func (s *Setup) ShortestSettle() time.Duration {
	shortest := time.Hour
	for _, p := range s.Pools {
		if p.KeepsRecord() {
			shortest = min(shortest, p.Placing.Settle)
		}
	}
	return shortest
}

// ServersStatus returns what is known of the list of servers.
func (p *SharedPool) ServersStatus() (s status.Servers) {
	if p.Discovery != nil {
		state := p.Discovery.State()
		s.Source, s.Answered, s.Error = p.Discovery.Source().String(), state.Answered, state.Error
	}
	if p.Places != nil {
		s.Refused, s.Settles = !p.Places.Fresh(), p.Places.History().Unsettled(time.Now())
	}
	if p.Migrating != nil {
		s.Move = p.Migrating.status()
	}
	return s
}
