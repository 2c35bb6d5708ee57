package upstream

import (
	"sync"
	"sync/atomic"
	"time"
)

// Either all event loops use an upstream, or none does: otherwise one would refuse a change, or send
// it to a spare pool, while another still answers with the old value. So each loop reports whether it
// has a connection, and presence decides for all of them:
//
//	        all have one            nothing outdated is left         all hold back, and nothing is left
//	away ───────────────▶ clearing ─────────────────────────▶ holdingBack ─────────────────────▶ serving
//	 ▲                       │                                   │                                  │
//	 └───────────────────────┴───────── one can't connect ───────┴──────────────────────────────────┘
//
// While the upstream is away or being cleared, requests for it are refused, or handled as the pool's
// setting says. The loop that was last to connect deletes what is outdated (clearing.go). Each change
// that is refused meanwhile makes another key outdated, so this would never end. So all loops then hold
// requests back for a moment: until they have exchanged two messages and the last keys are deleted.

// phase is what all loops do with an upstream.
type phase uint8

const (
	away phase = iota
	clearing
	holdingBack
	serving
)

// presence is whether all loops can reach an upstream. It is safe for concurrent use.
type presence struct {
	loops   int           // that use the upstream, once all know it
	refused atomic.Uint64 // requests in this outage

	mu       sync.Mutex
	phase    phase
	term     uint32             // counts changes to away: messages of earlier terms are ignored
	sides    []*Upstream        // the upstream as each loop that has joined sees it
	here     map[*Upstream]bool // those of sides that have a connection
	heldBack int                // how many loops hold requests back
	clearer  *Upstream          // deletes what is outdated
	served   bool               // it has been used before
	outages  uint64             // so far
	since    time.Time          // when the outage began; zero if there is none
	reason   string             // for it, as clients get it
	doubt    doubt
}

// doubt is why an upstream may have outdated values that nobody remembers.
type doubt uint8

const (
	none      doubt = iota
	atStart         // it was away when the process started
	elsewhere       // it was in no pool for a while
)

// join adds a loop's side of the upstream.
func (p *presence) join(u *Upstream) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sides = append(p.sides, u)
}

// leave is called when u's connection is closed because it was idle, or because no pool has the upstream any more.
func (p *presence) leave(u *Upstream) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.here, u)
}

// arrive is called when u has a connection that can be used. serves says that u may serve at once,
// because it has only replaced an idle connection. down is why u must refuse requests; it is empty if
// they may wait.
func (p *presence) arrive(u *Upstream) (serves bool, down string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.here[u] = true
	switch {
	case p.phase == serving:
		return true, ""
	case p.phase == away && len(p.here) == p.loops:
		p.phase, p.clearer = clearing, u
		p.tell(u, toClear)
	default:
		p.tellOthers(u, toConnect)
	}
	return false, p.reason
}

// fail is called when u can't reach the upstream; reason is for clients. It makes the other loops stop
// using it. It reports whether an outage begins, and whether the upstream was used before.
func (p *presence) fail(u *Upstream, reason string) (begins, served bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.here, u)
	begins, p.reason = p.since.IsZero(), reason
	if begins || p.phase != away {
		p.tellOthers(u, toStandDown)
	}
	if p.phase != away {
		p.phase, p.heldBack = away, 0
		p.term++
	}
	if begins {
		p.since = time.Now()
		p.outages++
	}
	return begins, p.served
}

// cleared is called when nothing outdated is left.
func (p *presence) cleared(term uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.term != term:
	case p.phase == clearing:
		p.phase, p.heldBack = holdingBack, 0
		p.tellOthers(nil, toHoldBack)
	case p.phase == holdingBack && p.heldBack == p.loops:
		p.phase, p.served = serving, true
		p.clearer.isBack(p.ended())
		p.tellOthers(nil, toServe)
	}
}

// holdsBack is called when a loop holds requests back.
func (p *presence) holdsBack(term uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.term != term {
		return
	}
	if p.heldBack++; p.heldBack == p.loops {
		p.tell(p.clearer, toClear)
	}
}

// is reports whether the upstream is still in the phase, and the term, that a message is about.
func (p *presence) is(phase phase, term uint32) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.phase == phase && p.term == term
}

// recovery is what the log says of an outage that has ended.
type recovery struct {
	lasted  time.Duration // 0 if there was none
	refused uint64        // requests
	doubt   doubt
}

// ended ends the outage, if there was one.
func (p *presence) ended() recovery {
	o := recovery{refused: p.refused.Swap(0), doubt: p.doubt}
	if !p.since.IsZero() {
		o.lasted = time.Since(p.since)
	}
	p.since, p.reason, p.doubt = time.Time{}, "", none
	return o
}

// outage returns what is known of the outages.
func (p *presence) outage() Outage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Outage{Count: p.outages, Since: p.since, Reason: p.reason, Unserved: p.refused.Load()}
}

// doubts notes why the upstream may have outdated values that nobody remembers.
func (p *presence) doubts(why doubt) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doubt = why
}

// hasLeft reports whether the upstream was in no pool for a while.
func (p *presence) hasLeft() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.doubt == elsewhere
}

// again makes one of the loops delete what is outdated, although the upstream is in use.
func (p *presence) again() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for u := range p.here {
		if p.phase == serving {
			p.tell(u, toClear)
			return
		}
	}
}

// message says what a loop is to do with its side of the upstream.
type message uint8

const (
	toConnect   message = iota // at once, if it was to try that later, because another loop has a connection
	toStandDown                // as another loop can't reach the upstream
	toClear                    // the upstream of what is outdated
	toHoldBack                 // requests
	toServe
	toPart // from the upstream, as it is excluded
)

// tell sends a message to u's loop.
func (p *presence) tell(u *Upstream, m message) { u.notify(m, p.term, p.reason) }

// tellOthers sends a message to all loops except u's.
func (p *presence) tellOthers(u *Upstream, m message) {
	for _, other := range p.sides {
		if other != u {
			p.tell(other, m)
		}
	}
}

// tellAll sends a message to all loops.
func (p *presence) tellAll(m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tellOthers(nil, m)
}

// isTerm reports whether term, that of a message, is still the present one.
func (p *presence) isTerm(term uint32) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.term == term
}
