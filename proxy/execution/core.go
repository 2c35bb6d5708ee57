package execution

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs"
)

// core is what all parts of an executor share. It sends operations to upstreams.
type core struct {
	Env
	Pool *pool.Pool
	pins pins
}

// place returns the upstream that owns the structure with a key, as it is stored. The generation in the key of a namespace is no
// part of what decides that.
func (x *core) place(structure []byte) *pool.Member {
	key := x.clientKey(structure)
	if u := x.pins.of(key); u != nil {
		return u
	}
	return x.Pool.Owner(key)
}

// steady reports whether every key is where the pool says.
func (x *core) steady() bool { return x.Places == nil || x.Places.Steady() }

// clientKey returns the key, as the pool has it without a generation, that is stored under a key.
func (x *core) clientKey(stored []byte) []byte {
	n := x.Namespaces.Of(stored)
	if n == 0 || len(stored) < n+namespace.Length {
		return stored
	}
	return namespace.Shown(nil, stored, n)
}

// operate sends an operation to u, which owns its structure. If that is impossible, it
// returns false and the reply.
func (x *core) operate(u *pool.Member, op *verbs.Op, p upstream.Pending) (reply verbs.Reply, sent bool) {
	if reply, refused := x.refuses(u, op); refused {
		return reply, false
	}
	x.ask(u, op, p)
	return verbs.Reply{}, true
}

// refuses reports whether an operation can't be sent to u, and returns the reply if so.
func (x *core) refuses(u *pool.Member, op *verbs.Op) (reply verbs.Reply, refused bool) {
	var refusal []byte
	switch {
	case x.Options.ReadOnly && !op.Reads():
		return op.Beaten(), true
	case u.State != upstream.Up:
		refusal = u.Refuse()
	case !u.Version.AtLeast(upstream.MetaCommands):
		refusal = u.ErrorLine("is memcached " + u.Version.String() + "; verbs need 1.6.0 or later")
	case op.Kind == verbs.IncrOrCreate && !u.Version.AtLeast(upstream.IncrCreates):
		refusal = u.ErrorLine("is memcached " + u.Version.String() + "; limits need 1.6.10 or later")
	case op.Outdated(u.Epoch):
		return verbs.Reply{Status: verbs.Exists}, true
	default:
		return verbs.Reply{}, false
	}
	return verbs.Reply{Err: string(bytes.TrimSpace(refusal))}, true
}

// ask sends an operation of a verb. Items that never change, parts of segments, may be
// large, so they are read on the second connection.
func (x *core) ask(u *pool.Member, op *verbs.Op, p upstream.Pending) {
	to := u.Connection(op.Constant)
	out := to.Out()
	out.Extend(op.AppendTo(out.Room(2*len(op.Key) + len(op.Data) + 128)))
	to.Expected.Extend(op.Asked(to.Expected.Text()))
	p.Command, p.Limit = op.Command(), upstream.LimitLong
	x.Counts.Pool[status.Operations]++
	to.Push(&p)
}

// parse converts the answer of an upstream to the reply to an operation.
func (x *core) parse(op *verbs.Op, a *upstream.Answer) verbs.Reply {
	if a.Failed() {
		return verbs.Reply{Err: string(bytes.TrimSpace(a.Data))}
	}
	reply := verbs.ParseReply(op.Kind, a.Last)
	reply.Epoch, reply.Indirect = a.Epoch, a.Indirect
	if op.Appends() {
		reply.Grown = len(op.Data)
	}
	return reply
}

// TooLong returns the error for a value of size bytes, which is longer than verbs may
// read.
func TooLong(size int) string {
	return fmt.Sprintf("holds an item of %d bytes that the verb needs, and verbs read none longer than %d MB; delete it", size, verbs.MaxAnswer>>20)
}

// takeFirst removes the first element of a list, and clears the list's reference to it.
func takeFirst[T any](list *[]*T) *T {
	first := (*list)[0]
	(*list)[0] = nil
	*list = (*list)[1:]
	return first
}
