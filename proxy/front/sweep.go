package front

import (
	"slices"

	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/route"
)

// sweepNear frees the values of the loop's pools that are too old.
func (l *Loop) sweepNear() {
	for _, p := range l.Pools.Current {
		if kept := p.Shared.Kept; kept != nil {
			kept.Sweep()
		}
	}
}

// forgetHolds lets the gets go on that wait for keys of a pool that was replaced, unless its successor has them.
func (l *Loop) forgetHolds(keys *holding.Keys) {
	if keys != nil && !slices.ContainsFunc(l.Pools.Current, func(p *route.Pool) bool { return p.Shared.Held == keys }) {
		l.missing.table.Forget(keys)
	}
}

// forgetNear frees the values of a pool that was replaced, unless its successor has them.
func (l *Loop) forgetNear(kept *near.Cache) {
	if kept != nil && !slices.ContainsFunc(l.Pools.Current, func(p *route.Pool) bool { return p.Shared.Kept == kept }) {
		kept.Close()
	}
}
