package upstream

import (
	"fmt"

	"github.com/memverbs/memverbs/proxy/status"
)

// link is what a loop knows of an upstream, and its two connections have in common.
type link struct {
	Name    string
	State   State
	Version Version // as last received
	Epoch   uint32  // tells its first connection from others of the pool, since a CAS means something to one server only
	Stats   Stats
	// Replied is when the last request that it has answered was sent, in microseconds of
	// [latency.Clock].
	Replied int64
	Remote  *Remote

	env    *Env
	direct bool // it has shown that it is memcached itself, so that the connection ends when it is restarted
}

// State is the state of an upstream, as one loop sees it.
type State uint8

func (s State) String() string { return [...]string{"connecting", "up", "down"}[s] }

const (
	Connecting State = iota // connecting, or connected and waiting for its version
	Up
	Down
)

// ID tells the server apart from others.
func (l *link) ID() string { return l.Remote.ID }

// ErrorLine returns an error line for clients: the upstream's name and what is wrong
// with it.
func (l *link) ErrorLine(what string) []byte {
	return fmt.Appendf(nil, "SERVER_ERROR upstream %s %s\r\n", l.Name, what)
}

// countLost counts a request that was not answered before the connection was lost.
func (l *link) countLost(p *Pending) {
	if _, refused := p.Sink.(nobody); !refused && p.Loss != LossUnnoticed {
		l.Stats.Counts[status.Refused]++
		l.Remote.presence.refused.Add(1)
	}
}
