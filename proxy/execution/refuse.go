package execution

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// refuse answers a verb with an error line, because no execution can carry it out. The parameters are as those of begin.
func (x *Executor) refuse(req *protocol.Request, owner *pool.Member, to Listener, slot uint32, line []byte) {
	r := x.take()
	r.Slot, r.Verb, r.Quiet, r.owner, r.key = slot, catalog.Of(req), req.Quiet, owner, append(r.key[:0], req.Key...)
	r.reading, r.away, r.waited = reading{}, 0, 0
	to.VerbAnswered(r, line)
	r.owner = nil
	x.idle.keep(r)
}
