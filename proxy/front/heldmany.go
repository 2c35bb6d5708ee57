package front

import (
	"math"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/tally"
)

// A get of several keys waits until other clients have stored all that it misses. It waits no longer than any of its keys may be
// waited for. The values that it has found are kept meanwhile, and when it goes on, only the missing keys are asked for again.

// mostHeldValues is how many bytes of values a get that waits may have.
const mostHeldValues = 64 << 10

// mayWait returns until when the gather may wait for missing keys, 0 if it may not: what it asks for again, it asks one upstream for each
// key, which is not enough for keys in namespaces, nor for those that move.
func (g *gather) mayWait() (until int64) {
	if !g.routing.Holds || g.routing.Spaced || g.routing.Moves || g.more || g.client.replies.At(g.slot).Long != nil || g.command != protocol.Get && g.command != protocol.Gets {
		return 0
	}
	lasts := int64(math.MaxInt64)
	for _, w := range g.eachKey() {
		if keys, _, stored := g.heldKeys(w); keys != nil {
			lasts = min(lasts, keys.For(stored))
		}
	}
	if lasts == math.MaxInt64 {
		return 0
	}
	g.client.useHolds(g.slot)
	return near.Now() + lasts
}

// heldKeys returns the keys of its pool for which gets wait, nil if key is not one of them, and the key as it is stored.
func (g *gather) heldKeys(key []byte) (keys *holding.Keys, p *route.Pool, stored []byte) {
	if g.routing.Covers(key) || g.routing.Spaced && g.routing.Target(key).Namespace > 0 {
		return nil, nil, nil
	}
	p, stored = g.routing.Of(key)
	if keys = p.Shared.Held; keys == nil || keys.For(stored) == 0 {
		return nil, nil, nil
	}
	return keys, p, stored
}

// waitsForMissing reports whether the gather, which has all replies, waits for keys that are missing.
func (g *gather) waitsForMissing() bool {
	if g.until == 0 || g.client.gone() || g.refusal != nil {
		return false
	}
	var keys []holding.Key
	var first *route.Pool
	var missing []int
	found := g.finds()
	for i, key := range g.eachKey() {
		if found[i] {
			continue
		}
		if of, p, stored := g.heldKeys(key); of != nil {
			keys, missing = append(keys, holding.Key{Of: of, Text: string(stored)}), append(missing, i)
			if first == nil {
				first = p
			}
		}
	}
	if len(keys) == 0 {
		return false
	}
	if g.held == nil {
		g.held = &held{client: g.client, get: g, slot: g.slot, pool: first}
	}
	g.missing = missing
	until := g.until
	if g.size() > mostHeldValues || g.loop.Account.Overdrawn() {
		until = 0
	}
	if !g.held.waits(keys, until) {
		return false
	}
	g.countMissing(-1)
	return true
}

// countMissing counts the missing keys as missed, or with -1 as not missed after all.
func (g *gather) countMissing(n int) {
	keys := g.eachKey()
	for _, i := range g.missing {
		p, _ := g.routing.Of(keys[i])
		p.Stats.Misses[tally.Get] += uint64(n)
	}
}

// miss delivers what was found.
func (g *gather) miss() {
	if !g.client.gone() {
		g.countMissing(1)
	}
	g.finish()
}
