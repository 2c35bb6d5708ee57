package proxy

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// state is how an upstream is doing, as one loop sees it.
type state uint8

const (
	connecting state = iota // also: connected, but its version is not known yet
	up
	down
)

func (s state) String() string { return [...]string{"connecting", "up", "down"}[s] }

// The pause before connecting again grows from minPause to maxPause.
const (
	minPause = 50 * time.Millisecond
	maxPause = 5 * time.Second
)

// upstream is one memcached, as one loop sees it. It is up while its first
// connection is; there is a second one if it is needed (bulk.go).
type upstream struct {
	loop      *loop
	index     int
	name      string
	state     state
	first     connection
	bulk      bulk
	admission admission

	version  version
	limit    int    // the longest item it takes, as memcached counts, in bytes; 0 if not known
	keepsCAS bool   // it keeps a CAS with each item
	epoch    uint32 // how many first connections there have been
	refusal  []byte // what its keys' requests are answered while it is down

	tried    bool     // the first attempt to connect has ended; until then, requests wait
	early    []func() // what verbs and polls have wait for that
	attempts int
	retry    *time.Timer
	stats    upstreamStats
}

func newUpstream(l *loop, index int) *upstream {
	u := &upstream{loop: l, index: index, name: l.server.config.Upstreams[index].Name}
	u.first.init(u, u)
	u.bulk.init(u, &u.bulk)
	u.bulk.state = down
	return u
}

// errorLine returns what a client is told when something is wrong with u.
func (u *upstream) errorLine(what string) []byte {
	return fmt.Appendf(nil, "SERVER_ERROR upstream %s %s\r\n", u.name, what)
}

// refuse returns what is answered in place of u while it is down, and counts it.
func (u *upstream) refuse() []byte {
	u.stats.Refused++
	return u.refusal
}

// connect begins to connect.
func (u *upstream) connect() { u.first.connect() }

// opened implements [keeper]. It asks for the version, and only after that is
// the upstream up.
func (u *upstream) opened() bool {
	u.epoch++
	u.limit = 0
	u.first.ask("version\r\n", pending{sink: u, command: protocol.Version})
	u.first.ask("stats settings\r\n", pending{sink: settings{u}, command: protocol.Stats})
	return true
}

// settings takes an upstream's settings. They are used, not needed: there are
// servers without them.
type settings struct{ upstream *upstream }

func (s settings) answered(_ *pending, a *answer) {
	if a.fail {
		return
	}
	s.upstream.first.greeted, s.upstream.keepsCAS = true, true
	for line := range bytes.Lines(a.data) {
		if value, ok := bytes.CutPrefix(line, []byte("STAT item_size_max ")); ok {
			n, _ := protocol.ParseUint(bytes.TrimSpace(value))
			s.upstream.limit = int(min(n, math.MaxInt32))
		}
		if string(bytes.TrimSpace(line)) == "STAT cas_enabled no" {
			s.upstream.keepsCAS = false
		}
	}
}

// answered takes the version.
func (u *upstream) answered(_ *pending, a *answer) {
	if a.fail {
		return // the connection is lost, or is about to be given up
	}
	if a.last.Kind != protocol.ReplyVersion {
		u.fail(fmt.Sprintf("refuses connections: %s", a.last.Line))
		return
	}
	u.version = parseVersion(a.last.Line)
	u.loop.server.versions.note(u.index, u.version)
	u.state, u.attempts = up, 0
	u.loop.server.health[u.index].gained(u)
	u.noteTried()
}

// noteTried is called when an attempt to connect has ended. After the first, what
// has waited for it goes on.
func (u *upstream) noteTried() {
	if u.tried {
		return
	}
	u.tried = true
	u.loop.untried--
	u.first.release()
	early := u.early
	u.early = nil
	for _, then := range early {
		then()
	}
}

// connection returns the connection for a request: the second if the request is
// to go there and there is one, otherwise the first.
func (u *upstream) connection(bulk bool) *connection {
	if bulk && u.bulk.ready() {
		return &u.bulk.connection
	}
	return &u.first
}

// operate sends what a verb asked for.
func (u *upstream) operate(op *verbs.Op, p pending) { u.connection(p.bulk).operate(op, p) }

// busy reports whether c, who wants to ask something of u, has to wait, as so much waits to
// be written already, or as it is not known yet whether u can be reached. c goes on
// when that is over and it is its turn. It may ask several upstreams.
func (u *upstream) busy(c *client, several bool) bool {
	to := u.connection(c.lane.bulk)
	if !u.tried {
		to.wait(c)
		return true
	}
	return u.state == up && !to.admits(c, several)
}

// pending returns how many requests are under way.
func (u *upstream) pending() int { return u.first.pending.len() + u.bulk.pending.len() }

// onTick looks whether requests have waited for too long. It reports whether
// any wait.
func (u *upstream) onTick() bool {
	first := u.first.onTick()
	return u.bulk.onTick() || first
}

// fail gives up both connections.
func (u *upstream) fail(why string) { u.first.fail(why) }

// lost implements [keeper]. The second connection goes with the first, see bulk.
func (u *upstream) lost(why string) {
	if u.state == up {
		u.loop.server.health[u.index].lost(u, why)
	} else if u.attempts == 0 && u.loop.server.context.Err() == nil {
		u.loop.server.health[u.index].missing(why)
	}
	u.state, u.refusal = down, u.errorLine("is down: "+why)
	first, bulk := u.first.drop(), u.bulk.drop()
	reason := u.errorLine(why)
	u.first.failAll(first, reason)
	u.bulk.failAll(bulk, reason)
	u.first.release()
	u.bulk.release()
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
func (u *upstream) reconnect() {
	if u.loop.server.context.Err() != nil {
		return
	}
	u.retry = time.AfterFunc(pauseBefore(u.attempts), u.connect)
	u.attempts++
}
