package upstream

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// State is how an upstream is doing, as one loop sees it.
type State uint8

const (
	Connecting State = iota // also: connected, but its version is not known yet
	Up
	Down
)

func (s State) String() string { return [...]string{"connecting", "up", "down"}[s] }

// The pause before connecting again grows from minPause to maxPause.
const (
	minPause = 50 * time.Millisecond
	maxPause = 5 * time.Second
)

// Upstream is one memcached, as one loop sees it. It is up while its first
// connection is; there is a second one if it is needed (Bulk).
type Upstream struct {
	Index   int // among all
	Name    string
	State   State
	Version Version // as it was told last
	Epoch   uint32  // how many first connections there have been
	Tried   bool    // the first attempt to connect has ended; until then, requests are to wait
	Stats   Stats
	First   Connection
	Bulk    Bulk

	env     *Env
	servers *Servers
	owner   Owner

	limit    int    // the longest item it takes, as memcached counts, in bytes; 0 if not known
	keepsCAS bool   // it keeps a CAS with each item
	refusal  []byte // what its keys' requests are answered while it is down
	attempts int
	retry    *time.Timer
}

// Owner is told what changes for those who want to ask something of an upstream.
type Owner interface {
	// WasTried is called once, when the first attempt to connect has ended.
	WasTried()
}

// Init makes u the upstream that is number index among servers.
func (u *Upstream) Init(env *Env, servers *Servers, index int, owner Owner) {
	u.Index, u.Name = index, servers.list[index].Name
	u.env, u.servers, u.owner = env, servers, owner
	u.First.init(u, u, false)
	u.Bulk.init(u, &u.Bulk, true)
	u.Bulk.State = Down
}

func (u *Upstream) server() *Server { return &u.servers.list[u.Index] }

func (u *Upstream) health() *health { return &u.servers.health[u.Index] }

// ErrorLine returns what a client is told when something is wrong with u.
func (u *Upstream) ErrorLine(what string) []byte {
	return fmt.Appendf(nil, "SERVER_ERROR upstream %s %s\r\n", u.Name, what)
}

// Refuse returns what is answered in place of u while it is down, and counts it.
func (u *Upstream) Refuse() []byte {
	u.Stats.Refused++
	return u.refusal
}

// Connect begins to connect.
func (u *Upstream) Connect() { u.First.connect() }

// opened implements [keeper]. It asks for the version, and only after that is
// the upstream up.
func (u *Upstream) opened() bool {
	u.Epoch++
	u.limit = 0
	u.First.Ask("version\r\n", Pending{Sink: u, Command: protocol.Version})
	u.First.Ask("stats settings\r\n", Pending{Sink: settings{u}, Command: protocol.Stats})
	return true
}

// settings takes an upstream's settings. They are used, not needed: there are
// servers without them.
type settings struct{ upstream *Upstream }

func (s settings) Answered(_ *Pending, a *Answer) {
	if a.Fail {
		return
	}
	s.upstream.First.greeted, s.upstream.keepsCAS = true, true
	for line := range bytes.Lines(a.Data) {
		if value, ok := bytes.CutPrefix(line, []byte("STAT item_size_max ")); ok {
			n, _ := protocol.ParseUint(bytes.TrimSpace(value))
			s.upstream.limit = int(min(n, math.MaxInt32))
		}
		if string(bytes.TrimSpace(line)) == "STAT cas_enabled no" {
			s.upstream.keepsCAS = false
		}
	}
}

// Answered takes the version.
func (u *Upstream) Answered(_ *Pending, a *Answer) {
	if a.Fail {
		return // the connection is lost, or is about to be given up
	}
	if a.Last.Kind != protocol.ReplyVersion {
		u.First.Fail(fmt.Sprintf("refuses connections: %s", a.Last.Line))
		return
	}
	u.Version = parseVersion(a.Last.Line)
	u.servers.versions.note(u.Index, u.Version)
	u.State, u.attempts = Up, 0
	u.health().gained(u)
	u.noteTried()
}

// noteTried is called when an attempt to connect has ended.
func (u *Upstream) noteTried() {
	if !u.Tried {
		u.Tried = true
		u.owner.WasTried()
	}
}

// Connection returns the connection for a request: the second if the request is
// to go there and there is one, otherwise the first.
func (u *Upstream) Connection(bulk bool) *Connection {
	if bulk && u.Bulk.Ready() {
		return &u.Bulk.Connection
	}
	return &u.First
}

// InFlight returns how many requests are under way.
func (u *Upstream) InFlight() int { return u.First.pending.len() + u.Bulk.pending.len() }

// GiveUpReplies refuses the requests whose replies take too large a part of the
// memory before they are whole.
func (u *Upstream) GiveUpReplies() {
	u.First.giveUpReply()
	u.Bulk.giveUpReply()
}

// EndTurn writes what has waited until the event loop has looked at all sockets.
func (u *Upstream) EndTurn() {
	u.First.onEndOfTurn()
	u.Bulk.onEndOfTurn()
}

// OnTick looks whether requests have waited for too long. It reports whether
// any wait.
func (u *Upstream) OnTick() bool {
	first := u.First.onTick()
	return u.Bulk.onTick() || first
}

// lost implements [keeper]. The second connection goes with the first, see Bulk.
func (u *Upstream) lost(why string) {
	if u.State == Up {
		u.health().lost(u, why)
	} else if u.attempts == 0 && u.env.Context.Err() == nil {
		u.health().missing(why)
	}
	u.State, u.refusal = Down, u.ErrorLine("is down: "+why)
	first, bulk := u.First.drop(), u.Bulk.drop()
	reason := u.ErrorLine(why)
	u.First.failAll(first, reason)
	u.Bulk.failAll(bulk, reason)
	u.noteTried()
	u.reconnect()
}

// pauseBefore returns how long to wait before the next of so many attempts to
// connect. It grows, and no two loops or proxies share it.
func pauseBefore(attempts int) time.Duration {
	pause := min(minPause<<min(attempts, 16), maxPause)
	return pause/2 + rand.N(pause)
}

// reconnect tries again after a pause.
func (u *Upstream) reconnect() {
	if u.env.Context.Err() != nil {
		return
	}
	u.retry = time.AfterFunc(pauseBefore(u.attempts), u.Connect)
	u.attempts++
}

// Close ends what u has started.
func (u *Upstream) Close() {
	if u.retry != nil {
		u.retry.Stop()
	}
}
