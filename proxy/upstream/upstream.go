package upstream

import (
	"strings"
	"time"

	"github.com/memverbs/memverbs/proxy/state"
	"github.com/memverbs/memverbs/proxy/status"
)

// Upstream is one memcached, as one loop sees it. It is up while its first connection
// is up. A second connection is opened when it is needed (Bulk).
type Upstream struct {
	link
	Index int  // in its pool
	Tried bool // requests need not wait: the first attempt to connect has ended, and requests are not held back
	First Connection
	Bulk  Bulk

	owner    Owner
	limit    int    // its largest item, as memcached counts, in bytes; 0 if unknown
	keepsCAS bool   // it stores a CAS with each item
	refusal  []byte // the answer to requests while it is down
	attempts int    // to connect since it was last up
	retry    *time.Timer
	reach    reach     // whether the loop can reach it
	upSince  time.Time // when it last became up
	heldBack heldBack  // whether requests for it are held back
	sparing  int       // changes in flight to a spare pool, because u is down
}

// Owner is notified of events that requests for an upstream wait for.
type Owner interface {
	// WasTried is called when the first attempt to connect has ended, and later when requests are not
	// held back any more.
	WasTried()
}

// Init initialises u as this loop's side of remote.
func (u *Upstream) Init(env *Env, remote *Remote, owner Owner) {
	u.Name, u.env, u.Remote, u.owner = remote.Name, env, remote, owner
	u.First.init(&u.link, u, false)
	u.Bulk.Connection.init(&u.link, &u.Bulk, true)
	u.Bulk.State, u.Bulk.first = Down, &u.First
	remote.presence.join(u)
}

// isDown precedes, in a refusal, why the upstream is down.
const isDown = "is down: "

// Why returns why u can't be used, if it is not up.
func (u *Upstream) Why() string {
	if _, why, down := strings.Cut(string(u.refusal), isDown); down {
		return strings.TrimSpace(why)
	}
	return "it has not answered yet"
}

// Refuse returns the answer to a request while u is down, and counts it.
func (u *Upstream) Refuse() []byte {
	u.Stats.Counts[status.Refused]++
	u.Remote.presence.refused.Add(1)
	return u.refusal
}

// isUp is called when the upstream can be used.
func (u *Upstream) isUp() {
	u.State, u.upSince, u.attempts = Up, time.Now(), 0
	u.noteTried()
}

// noteTried is called at the end of every attempt to connect, and when requests are not held back any more.
func (u *Upstream) noteTried() {
	if !u.Tried {
		u.Tried = true
		u.owner.WasTried()
	}
}

// Connection returns the connection for a request: the second if bulk is set and it is
// ready, otherwise the first.
func (u *Upstream) Connection(bulk bool) *Connection {
	if bulk && u.Bulk.Ready() {
		return &u.Bulk.Connection
	}
	return &u.First
}

// InFlight returns how many requests wait for their replies.
func (u *Upstream) InFlight() int { return u.First.pending.len() + u.Bulk.pending.len() }

// GiveUpReplies refuses the requests whose incomplete replies take too much memory.
func (u *Upstream) GiveUpReplies() {
	for _, c := range []*Connection{&u.First, &u.Bulk.Connection} {
		if c.takesMuch() {
			c.giveUpReply()
		}
	}
}

// EndTurn writes the batches that have waited for the end of the event loop's turn.
func (u *Upstream) EndTurn() {
	u.First.onEndOfTurn()
	u.Bulk.onEndOfTurn()
}

// OnTick checks for time-outs. It reports whether any requests are pending.
func (u *Upstream) OnTick() bool {
	first := u.First.onTick()
	return u.Bulk.onTick() || first
}

// ends reports whether u is not connected to again: the proxy is shutting down, or u was
// removed.
func (u *Upstream) ends() bool { return u.reach == removed || u.env.Context.Err() != nil }

// Close stops reconnecting.
func (u *Upstream) Close() {
	if u.retry != nil {
		u.retry.Stop()
	}
}

// reach says whether a loop can reach an upstream:
//
//	untried ──Connect──▶ unreached ◀──────▶ reached
//	                        └──Remove──▶ removed ◀┘
type reach uint8

const (
	untried   reach = iota // it has not begun to connect
	unreached              // it has no first connection that can be used
	reached                // it has one
	removed                // Remove was called
)

// lost returns the state that follows when connecting has failed, or the connection is lost.
func (r reach) lost() reach { return state.Next(r, unreached, 1<<untried|1<<reached) }

// heldBack says whether a loop holds back requests for an upstream that is about to be used again. The
// requests wait, as they do before the first attempt to connect has ended.
type heldBack struct {
	unreported bool   // the presence is told later, when no change is in flight to a spare pool any more
	term       uint32 // see presence
}
