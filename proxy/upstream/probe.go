package upstream

import "github.com/memverbs/memverbs/protocol"

// Probe asks an upstream that is connected something if nothing else is in flight, so that one that
// does not answer any more is found out before a client needs it.
func (u *Upstream) Probe() {
	switch {
	case !u.arrived || u.First.pending.len() > 0:
	case u.Version.AtLeast(MetaCommands):
		u.First.Ask("mn\r\n", Pending{Sink: nobody{}, Command: protocol.MetaNoop})
	default:
		u.First.Ask("version\r\n", Pending{Sink: nobody{}, Command: protocol.Version})
	}
}
