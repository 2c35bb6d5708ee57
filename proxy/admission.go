package proxy

import "github.com/memverbs/memverbs/protocol"

// admission limits how many verbs are under way for an upstream, on a loop. Each
// takes memory for as long as it waits for replies, some kilobytes, and a client
// may have many of them: without a limit, ten thousand clients could take gigabytes.
// Clients that want to begin more wait in turn. Verbs count for the upstream of their
// first key, so that one which does not answer costs its own keys only; and of a
// retrieval whose keys name verbs, only the first is looked at before it begins.
type admission struct {
	running int
	waiting []*client
}

const (
	// maxVerbs is how many verbs are under way in the process, as long as that lets
	// each upstream have leastVerbs on each loop.
	maxVerbs   = 4096
	leastVerbs = 64
)

// mostVerbs returns how many verbs are under way for an upstream on a loop.
func (s *Server) mostVerbs() int {
	return max(maxVerbs/s.config.Loops/len(s.config.Upstreams), leastVerbs)
}

// crowded reports whether req has to wait, as it would begin a verb, and enough are
// under way. c is woken when that is over.
func (c *client) crowded(req *protocol.Request) bool {
	begins := req.Command.Verb() || c.loop.carriage.load.named > 0
	if !begins || len(req.Key) == 0 { // without a key, it will be refused
		return false
	}
	a := &c.loop.locate(req.Key).admission
	if a.running < c.loop.mostVerbs {
		return false
	}
	if !c.waitsForVerbs {
		c.waitsForVerbs = true
		c.loop.crowded++
		a.waiting = append(a.waiting, c)
	}
	return true
}

// admit wakes as many of those who wait as can begin a verb. It reports whether there
// were any. One that has several to begin may take the place of others, and these then
// wait behind those that have not been woken yet.
func (l *loop) admit() bool {
	woken := 0
	for i := 0; i < len(l.upstreams) && l.crowded > 0; i++ {
		a := &l.upstreams[i].admission
		n := max(min(l.mostVerbs-a.running, len(a.waiting)), 0)
		for _, c := range a.waiting[:n] {
			c.waitsForVerbs = false
			l.wake(c)
		}
		clear(a.waiting[:n])
		a.waiting = a.waiting[n:]
		l.crowded -= n
		woken += n
	}
	return woken > 0
}
