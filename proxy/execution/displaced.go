package execution

import (
	"bytes"
	"slices"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/status"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// displaced is a verb on keys whose structures may have remained at former places (package placement), from when it begins until
// its client is answered. It asks these places for the structures, and an execution carries the verb out where they are. That never
// makes a structure anew at a former place: if it would, the places are asked again. Until the verb is answered, its client's
// next requests wait.
type displaced struct {
	executor *Executor
	req      protocol.Request
	kept     int // bytes of its words, as counted in the loop's account
	owner    *pool.Member
	caller   *Caller
	listener Listener
	slot     uint32

	former
	waiting int    // questions outstanding
	failure []byte // the error that a question was answered with
	rounds  int    // how often the places were asked
}

// mostDisplacements is how often the former places are asked. Each time but the first, the structure was deleted there in the
// moment since.
const mostDisplacements = 16

// start begins the verb of req, see begin: where its structures are, and under a generation if it is on keys in namespaces.
func (x *Executor) start(req *protocol.Request, owner *pool.Member, c *Caller, to Listener, slot uint32) {
	if x.steady() || owner == nil || catalog.Of(req).Everywhere || x.inPlace(req) {
		x.startSpaced(req, owner, c, to, slot)
		return
	}
	d := &displaced{executor: x, former: former{pins: &x.pins}, owner: owner, caller: c, listener: to, slot: slot}
	d.kept = cap(req.CloneTo(&d.req, nil))
	x.wraps(c, d.kept)
	if !x.Places.Await(x.askRecords, func() { x.Post(d.resolve) }) {
		d.resolve()
	}
}

// inPlace reports whether all keys of a request are known to be where the pool says.
func (x *Executor) inPlace(req *protocol.Request) bool {
	if !x.Places.Known() || !x.Places.Fresh() {
		return false
	}
	h, now := x.Places.History(), time.Now()
	var few [4]int
	for key := range keysOf(req) {
		at, refused := h.Place(few[:0], key, x.Pool.Owner(key).Index, now)
		if refused > 0 || len(at) > 0 && len(x.tracesOf(req, key)) > 0 {
			return false
		}
	}
	return true
}

// tracesOf returns keys of items of which one is where the structure of a key of req is; none if that may be at several places.
func (x *Executor) tracesOf(req *protocol.Request, key []byte) [][]byte {
	return catalog.Of(req).TracesOf(req, key, &x.env)
}

// resolve asks the former places, if there are any.
func (d *displaced) resolve() {
	x := d.executor
	if !x.Places.Fresh() {
		d.refuseUnsettled(unconfirmed)
		return
	}
	d.keys = d.keys[:0]
	for key := range keysOf(&d.req) {
		at, rest := x.Places.History().Place(nil, key, x.Pool.Owner(key).Index, time.Now())
		if rest > 0 {
			d.refuseUnsettled(unsettled(rest))
			return
		}
		if len(at) == 0 || x.Namespaces.Of(key) > 0 {
			continue
		}
		k := formerKey{text: key, traces: x.tracesOf(&d.req, key)}
		if len(k.traces) == 0 {
			continue
		}
		for _, i := range at {
			k.places = append(k.places, x.Pool.All[i])
		}
		d.keys = append(d.keys, k)
	}
	d.lookFor()
}

// lookFor asks for the structures at their former places.
func (d *displaced) lookFor() {
	for i := range d.keys {
		for _, u := range d.keys[i].places {
			if !u.Tried {
				u.WhenTried(d.lookFor)
				return
			}
			if u.State != upstream.Up {
				d.refuse(string(bytes.TrimSpace(u.Refuse())))
				return
			}
		}
	}
	d.failure = nil
	d.rounds++
	d.waiting = 1 // until all are asked
	for i := range d.keys {
		k := &d.keys[i]
		k.found = nil
		for n, u := range k.places {
			d.ask(k, u, uint32(i*len(d.executor.Pool.All)+n))
		}
	}
	d.answered()
}

// ask asks an upstream for the traces of a key.
func (d *displaced) ask(k *formerKey, u *pool.Member, slot uint32) {
	var req protocol.Request
	req.SetRetrieval(protocol.Get, bytes.Join(k.traces, []byte{' '}), len(k.traces), true)
	d.waiting++
	d.executor.Counts.Pool[status.Operations]++
	u.First.Request(&req, &upstream.Pending{Sink: d, Slot: slot, Command: protocol.Get, Keys: uint16(len(k.traces)), Limit: upstream.LimitLong})
}

// Answered implements [upstream.Sink].
func (d *displaced) Answered(p *upstream.Pending, a *upstream.Answer) {
	k := &d.keys[int(p.Slot)/len(d.executor.Pool.All)]
	switch {
	case a.Failed() || a.Last.Kind == protocol.ReplyError:
		d.failure = bytes.Clone(bytes.TrimSpace(a.Data))
	case !bytes.HasPrefix(a.Data, []byte("VALUE ")):
	default:
		k.found = k.places[int(p.Slot)%len(d.executor.Pool.All)]
	}
	d.answered()
}

// answered carries the verb out once all places have answered.
func (d *displaced) answered() {
	if d.waiting--; d.waiting > 0 {
		return
	}
	if d.failure != nil {
		d.refuse(string(d.failure))
		return
	}
	x, owner := d.executor, d.owner
	if d.rounds < mostDisplacements && d.awaitsOthers() {
		return
	}
	for i := range d.keys {
		k := &d.keys[i]
		d.foundAgain = d.rounds > 1 && k.found != nil
		if k.found != nil && bytes.Equal(k.text, d.req.Key) {
			owner = k.found
		}
	}
	if slices.ContainsFunc(d.keys, func(k formerKey) bool { return k.found != nil }) {
		x.Counts.Pool[status.VerbsAtFormerPlace]++
		x.startSpaced(&d.req, owner, d.caller, d, d.slot)
		return
	}
	d.end()
	x.startSpaced(&d.req, d.owner, d.caller, d.listener, d.slot)
}

// awaitsOthers reports whether the verb has to wait until others have ended that use one of its structures at another place. Then
// it asks the places again.
func (d *displaced) awaitsOthers() bool {
	again := func() { d.executor.Post(d.resolve) }
	return slices.ContainsFunc(d.keys, func(k formerKey) bool { return d.executor.pins.await(k.text, k.found, again) })
}

// formerPlaces implements [placed].
func (d *displaced) formerPlaces() *former { return &d.former }

// VerbAnswered implements [Listener].
func (d *displaced) VerbAnswered(r *Execution, text []byte) {
	if line, is := bytes.CutSuffix(text, []byte("\r\n")); is && string(line) == moved && d.rounds < mostDisplacements {
		next := *d // the execution that ends still has the keys of this one
		next.keys = nil
		next.resolve()
		return
	}
	d.end()
	d.listener.VerbAnswered(r, text)
	d.caller.Owner.Progress()
}

// refuse answers with an error, because no execution can carry the verb out.
func (d *displaced) refuse(line string) {
	d.end()
	d.executor.refuse(&d.req, d.owner, d.listener, d.slot, []byte(line+"\r\n"))
	d.caller.Owner.Progress()
}

// refuseUnsettled is refuse because proxies may disagree on the place of a key.
func (d *displaced) refuseUnsettled(line string) {
	d.executor.Counts.Pool[status.VerbsUnsettled]++
	d.refuse(line)
}

// end ends the work on the verb.
func (d *displaced) end() { d.executor.unwraps(d.caller, d.kept) }
