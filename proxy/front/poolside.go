package front

import (
	"fmt"
	"math/rand/v2"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/execution"
	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/placement"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// newLoopPool returns the loop's side of a pool. before is that of the pool by the same
// name which it replaces, nil if there is none.
func (l *Loop) newLoopPool(p *config.SharedPool, before *route.Pool) *route.Pool {
	n := &route.Pool{Shared: p}
	if p.Kept != nil {
		p.Kept.Use(l.nearQuota)
	}
	var members *pool.Pool
	if before != nil {
		n.Stats, n.Hot, members = before.Stats, before.Hot, before.Pool
	} else {
		n.Stats, n.Hot = &report.Counters{}, hotkeys.NewWindow()
	}
	if before != nil && before.Shared.ConnectsLike(p) {
		n.Env = before.Env
	} else {
		n.Env = l.upstreamEnv(n)
	}
	n.Pool = pool.New(n.Env, p.Remotes, p.Layout, &l.queues, members)
	if p.Migrating != nil {
		n.Keep(n.Env, p.Migrating.Leaving, &l.queues, members)
		n.Moving = route.NewMoving(n)
	}
	if len(p.Namespaces) > 0 {
		for range n.All {
			n.Spaces = append(n.Spaces, namespace.NewSpaces(rand.Uint64, &l.learned))
		}
	}
	n.Verbs = execution.New(l.verbEnv(n), n.Pool)
	return n
}

// upstreamEnv returns the Env of the upstreams of p.
func (l *Loop) upstreamEnv(p *route.Pool) *upstream.Env {
	return &upstream.Env{
		Net:            l.net,
		Batch:          &l.batch,
		Clock:          l.clock,
		Time:           l.timing.Clock,
		Pool:           &l.Buffers.Pool,
		Context:        l.Context,
		Counts:         &p.Stats.Counts,
		Timeout:        p.Shared.Timeout,
		ConnectTimeout: p.Shared.ConnectTimeout,
		MaxItemSize:    p.Shared.MaxItemSize,
		MaxLong:        verbs.MaxAnswer,
		Login:          p.Shared.Login,
		OnReturn:       p.Shared.WhenBack(),
		SpareOf:        l.spareOf,
		Returned:       l.returned,
		LargeReply:     l.largeReply(),
		HasMemory:      l.hasMemory,
		TooLong:        tooLong,
	}
}

// tooLong returns the error for a value of size bytes, which is more than is accepted.
func tooLong(p *upstream.Pending, size int) string {
	if p.Limit == upstream.LimitItem {
		return fmt.Sprintf("holds a value of %d bytes under this key, more than --max-item-size", size)
	}
	return execution.TooLong(size)
}

// verbEnv returns the Env of the verbs of p.
func (l *Loop) verbEnv(p *route.Pool) execution.Env {
	return execution.Env{
		Net:        l.net,
		Counts:     &p.Stats.Verbs,
		Work:       &l.work,
		Clock:      l.clock,
		Time:       l.timing.Clock,
		Log:        l.Log,
		Account:    &l.Account,
		Queues:     &l.queues,
		Loops:      l.Config.Loops,
		Timeout:    p.Shared.Timeout,
		Options:    &p.Shared.Verbs,
		ViewQuota:  l.viewQuota,
		Awaited:    p.Shared.Awaited,
		Precedence: p.Shared.Precedence,
		Kept:       p.Shared.Kept,

		Places:    p.Shared.Places,
		RecordKey: placement.Key(p.Shared.Name),
		Learn:     p.Shared.Learn,

		Namespaces: p.Shared.Namespaces,
		Spaces:     p.Spaces,
		LookUp:     l.lookUp,

		Post:    l.Post,
		Proceed: l.proceed,
		Shed:    l.shed,
		RelieveVerbs: func() {
			for _, other := range l.Loops {
				other.Post(other.relieveVerbs)
			}
		},
		Elsewhere: l.Elsewhere,
	}
}

// spareOf implements SpareOf of [upstream.Env].
func (l *Loop) spareOf(name, key string) *upstream.Upstream {
	if p := l.poolNamed(name); p != nil && !p.Shared.Guard.ReadOnly {
		return &p.Owner([]byte(key)).Upstream
	}
	return nil
}

// returned implements Returned of [upstream.Env]: other pools with the same server connect at once instead of
// waiting for their next attempt.
func (l *Loop) returned(u *upstream.Upstream) {
	for _, other := range l.Pools.Members {
		if other.ID() == u.ID() && &other.Upstream != u {
			other.Prompt()
		}
	}
}
