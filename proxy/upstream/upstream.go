package upstream

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// State is the state of an upstream, as one loop sees it.
type State uint8

const (
	Connecting State = iota // connecting, or connected and waiting for its version
	Up
	Down
)

func (s State) String() string { return [...]string{"connecting", "up", "down"}[s] }

// The pause before connecting again grows from minPause to maxPause.
const (
	minPause = 50 * time.Millisecond
	maxPause = 5 * time.Second
)

// Upstream is one memcached, as one loop sees it. It is up while its first connection
// is up. A second connection is opened when it is needed (Bulk).
type Upstream struct {
	Index   int // in its pool
	Name    string
	State   State
	Version Version // as last received
	Epoch   uint32  // number of first connections so far
	Begun   bool    // the first attempt to connect has begun
	Tried   bool    // the first attempt to connect has ended, and requests are not held back; otherwise they wait
	Stats   Stats
	// Replied is when the last request that it has answered was sent, in microseconds of
	// [latency.Clock].
	Replied int64
	First   Connection
	Bulk    Bulk

	env    *Env
	remote *Remote
	owner  Owner

	limit    int    // its largest item, as memcached counts, in bytes; 0 if unknown
	keepsCAS bool   // it stores a CAS with each item
	direct   bool   // it has shown that it is memcached itself, so that the connection ends when it is restarted
	refusal  []byte // the answer to requests while it is down
	attempts int    // to connect since it was last up
	retry    *time.Timer
	removed  bool // Remove was called
	arrived  bool // the first connection can be used
	upSince  time.Time
	hold     hold
	sparing  int // changes in flight to a spare pool, because u is down
}

// Owner is notified of events that requests for an upstream wait for.
type Owner interface {
	// WasTried is called when the first attempt to connect has ended, and later when requests are not
	// held back any more.
	WasTried()
}

// Init initialises u as this loop's side of remote.
func (u *Upstream) Init(env *Env, remote *Remote, owner Owner) {
	u.Name, u.env, u.remote, u.owner = remote.Name, env, remote, owner
	u.First.init(u, u, false)
	u.Bulk.init(u, &u.Bulk, true)
	u.Bulk.State = Down
	remote.presence.join(u)
}

// ID tells the server apart from others.
func (u *Upstream) ID() string { return u.remote.ID }

// ErrorLine returns an error line for clients: the upstream's name and what is wrong
// with it.
func (u *Upstream) ErrorLine(what string) []byte {
	return fmt.Appendf(nil, "SERVER_ERROR upstream %s %s\r\n", u.Name, what)
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
	u.Stats.Refused++
	u.remote.presence.refused.Add(1)
	return u.refusal
}

// Connect starts connecting.
func (u *Upstream) Connect() {
	u.Begun = true
	u.First.connect()
}

// opened implements [keeper]. It asks for the version; the upstream is up when it has
// answered.
func (u *Upstream) opened() bool {
	if u.removed {
		return false
	}
	u.Epoch++
	u.limit, u.direct = 0, false
	u.env.Login.ask(&u.First)
	u.First.Ask("version\r\n", Pending{Sink: u, Command: protocol.Version})
	u.First.Ask("stats settings\r\n", Pending{Sink: settings{u}, Command: protocol.Stats})
	return true
}

// settings receives an upstream's answer to stats settings. It is optional: some servers have none.
type settings struct{ upstream *Upstream }

func (s settings) Answered(_ *Pending, a *Answer) {
	if a.Fail {
		return
	}
	s.upstream.First.greeted, s.upstream.keepsCAS, s.upstream.direct = true, true, isMemcached(a.Data)
	if !s.upstream.direct {
		s.upstream.remote.health.warnOfProxy()
	}
	for line := range bytes.Lines(a.Data) {
		if value, ok := bytes.CutPrefix(line, []byte("STAT item_size_max ")); ok {
			n, _ := protocol.ParseUint(bytes.TrimSpace(value))
			s.upstream.limit = int(min(n, math.MaxInt32))
			s.upstream.compareLimit()
		}
		if string(bytes.TrimSpace(line)) == "STAT cas_enabled no" {
			s.upstream.keepsCAS = false
		}
	}
}

// isMemcached reports whether an answer to stats settings shows that it comes from memcached itself. The answer
// of another proxy has no port, and memcached running as a proxy says that it is one.
func isMemcached(settings []byte) bool {
	return bytes.Contains(settings, []byte("STAT tcpport ")) && !bytes.Contains(settings, []byte("STAT proxy_enabled yes"))
}

// Answered implements [Sink] for the version.
func (u *Upstream) Answered(_ *Pending, a *Answer) {
	if a.Fail {
		return // the connection is lost or about to be closed
	}
	if a.Last.Kind != protocol.ReplyVersion {
		u.First.Fail(u.env.Login.whyUnversioned(a.Last.Line))
		return
	}
	u.Version = parseVersion(a.Last.Line)
	u.remote.noteVersion(u.Version)
	u.arrived = true
	switch serves, down := u.remote.presence.arrive(u); {
	case serves:
		u.isUp()
	case down != "":
		u.standDown(down)
	}
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
		if c.holdsMuch() {
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

// lost implements [keeper]. The second connection is closed with the first, see Bulk.
func (u *Upstream) lost(why string) {
	if !u.ends() {
		begins, served := u.remote.presence.fail(u, why)
		if begins {
			u.remote.deleted.Store(0)
			u.remote.health.isDown(why, served)
			if !served && !u.remote.informed {
				u.remote.presence.doubts(atStart)
			}
		}
	}
	u.arrived, u.hold = false, hold{}
	u.State, u.refusal = Down, u.ErrorLine(isDown+why)
	first, bulk := u.First.drop(), u.Bulk.drop()
	reason := u.ErrorLine(why)
	u.First.failAll(first, reason)
	u.Bulk.failAll(bulk, reason)
	u.noteTried()
	u.reconnect()
}

// pauseBefore returns the pause before the next attempt to connect. It grows with the
// number of attempts and is random, so that loops and proxies don't reconnect together.
func pauseBefore(attempts int) time.Duration {
	pause := min(minPause<<min(attempts, 16), maxPause)
	return pause/2 + rand.N(pause)
}

// reconnect connects again after a pause.
func (u *Upstream) reconnect() {
	if u.ends() {
		return
	}
	u.retry = time.AfterFunc(pauseBefore(u.attempts), u.First.connect)
	u.attempts++
}

// ends reports whether u is not connected to again: the proxy is shutting down, or u was
// removed.
func (u *Upstream) ends() bool { return u.removed || u.env.Context.Err() != nil }

// Remove closes the connections for good, because no pool has u any more and nothing is in
// flight.
func (u *Upstream) Remove() {
	u.Close()
	u.removed, u.arrived = true, false
	u.remote.presence.leave(u)
	u.State, u.refusal = Down, u.ErrorLine("was removed from its pool")
	first, bulk := u.First.drop(), u.Bulk.drop()
	u.First.failAll(first, u.refusal)
	u.Bulk.failAll(bulk, u.refusal)
	u.noteTried()
}

// Close stops reconnecting.
func (u *Upstream) Close() {
	if u.retry != nil {
		u.retry.Stop()
	}
}
