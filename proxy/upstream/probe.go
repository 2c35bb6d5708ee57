package upstream

import "github.com/memverbs/memverbs/protocol"

// Probe sends a request to a connected upstream if nothing else is in flight, so that the proxy
// notices that it does not answer any more before a client needs it.
func (u *Upstream) Probe() {
	switch {
	case u.reach != reached || u.First.pending.len() > 0:
	case u.Version.AtLeast(MetaCommands):
		u.First.Ask("mn\r\n", Pending{Sink: nobody{}, Command: protocol.MetaNoop})
	default:
		u.First.Ask("version\r\n", Pending{Sink: nobody{}, Command: protocol.Version})
	}
}
