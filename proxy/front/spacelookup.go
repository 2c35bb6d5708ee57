package front

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// spaceLookup is a task by which the generation of a namespace is found or made.
type spaceLookup struct {
	loop  *Loop
	owner *pool.Member
	space *namespace.Space
	task  namespace.Task
}

// lookUp sends a task to the server.
func (l *Loop) lookUp(u *pool.Member, space *namespace.Space, task namespace.Task) {
	if task == namespace.Nothing {
		return
	}
	look := &spaceLookup{l, u, space, task}
	if u.State != upstream.Up {
		look.goesOn(namespace.Nothing, space.Fail(), string(bytes.TrimSpace(u.Refuse())))
		return
	}
	req := &l.scratch.plain
	p := upstream.Pending{Sink: look, Command: protocol.Get, Keys: 1}
	if req.SetRetrieval(protocol.Get, space.Text, 1, true); task == namespace.Create {
		req.Reset(protocol.Add)
		req.Key, req.Data = space.Text, space.Fresh[:]
		p.Command, p.Keys = protocol.Add, 0
	}
	u.First.Request(req, &p)
}

// Answered implements [upstream.Sink].
func (look *spaceLookup) Answered(_ *upstream.Pending, a *upstream.Answer) {
	switch {
	case a.IsError():
		look.goesOn(namespace.Nothing, look.space.Fail(), string(bytes.TrimSpace(a.Data)))
	case look.task == namespace.Read:
		task, ready := look.space.HasRead(namespace.In(a.Data, look.space.Text))
		look.goesOn(task, ready, "")
	default:
		task, ready := look.space.HasCreated(string(a.Last.Line) == "STORED")
		look.goesOn(task, ready, "SERVER_ERROR upstream "+look.owner.Name+" has no generation of the namespace "+string(look.space.Text)+", and takes none; flush it")
	}
}

// goesOn sends the next task, and lets calls proceed. refusal is for those calls if the generation is not known.
func (look *spaceLookup) goesOn(task namespace.Task, ready []namespace.Waiter, refusal string) {
	look.loop.lookUp(look.owner, look.space, task)
	g := look.space.Present()
	if g.Known() {
		refusal = ""
	}
	for _, w := range ready {
		w.Proceed(g, refusal)
	}
}
