package upstream

import (
	"bytes"
	"math"

	"github.com/memverbs/memverbs/protocol"
)

// opened implements [keeper]. It asks for the version; the upstream is up when it has
// answered.
func (u *Upstream) opened() bool {
	if u.reach == removed {
		return false
	}
	u.env.epochs++
	u.Epoch = u.env.epochs
	u.limit, u.direct = 0, false
	u.First.authenticate()
	u.First.Ask("version\r\n", Pending{Sink: u, Command: protocol.Version})
	u.First.Ask("stats settings\r\n", Pending{Sink: SinkFunc(u.toldSettings), Command: protocol.Stats})
	return true
}

// toldSettings receives the answer to stats settings. It is optional: some servers have none.
func (u *Upstream) toldSettings(_ *Pending, a *Answer) {
	if a.Failed() {
		return
	}
	u.First.greeted, u.keepsCAS, u.direct = true, true, isMemcached(a.Data)
	if !u.direct {
		u.Remote.health.warnOfProxy()
	}
	for line := range bytes.Lines(a.Data) {
		if value, ok := bytes.CutPrefix(line, []byte("STAT item_size_max ")); ok {
			n, _ := protocol.ParseUint(bytes.TrimSpace(value))
			u.limit = int(min(n, math.MaxInt32))
			u.compareLimit()
		}
		if string(bytes.TrimSpace(line)) == "STAT cas_enabled no" {
			u.keepsCAS = false
		}
	}
}

// LacksCAS reports whether the upstream has said that it keeps no CAS, as with memcached's -C. It does not know conditions then.
func (u *Upstream) LacksCAS() bool { return u.First.greeted && !u.keepsCAS }

// isMemcached reports whether an answer to stats settings shows that it comes from memcached itself. The answer
// of another proxy has no port, and memcached running as a proxy says that it is one.
func isMemcached(settings []byte) bool {
	return bytes.Contains(settings, []byte("STAT tcpport ")) && !bytes.Contains(settings, []byte("STAT proxy_enabled yes"))
}

// Answered implements [Sink] for the version.
func (u *Upstream) Answered(_ *Pending, a *Answer) {
	if a.Failed() {
		return // the connection is lost or about to be closed
	}
	if a.Last.Kind != protocol.ReplyVersion {
		u.First.Fail(u.env.Login.whyUnversioned(a.Last.Line))
		return
	}
	if err := u.Remote.exclusion(); err != nil { // since this connection was begun
		u.lost(err.Error())
		return
	}
	u.Version = parseVersion(a.Last.Line)
	u.Remote.noteVersion(u.Version)
	u.reach = reached
	switch serves, down := u.Remote.presence.arrive(u); {
	case serves:
		u.isUp()
	case down != "":
		u.standDown(down)
	}
}
