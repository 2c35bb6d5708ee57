package moving

import (
	"fmt"
	"strconv"
)

// carryOut carries out an operation of a call, and notes what is lost by it.
func (w *world) carryOut(k *call, o Operation, found Item) *Reply {
	m := &w.servers[o.At]
	m.expire(w.now)
	held, was := w.lives(o.At), uint64(0)
	if held {
		was = m.item.CAS
	}
	if o.Do == Look {
		k.behind, k.takes = w.lives(Old), 0
		if k.behind && (o.At == Old || w.lives(New)) {
			k.takes = w.servers[Old].item.CAS
		}
	}
	r, text := m.carryOut(o, k.command, found, w.now)
	if k.verb == "count" && o.Do == Act && r.Outcome == Absent && (k.stage == before || k.stage == after) {
		o.Do = Create
		r, text = m.carryOut(o, k.command, found, w.now)
	}
	k.empty = k.empty || w.servers[Old].item == nil
	w.note("    %v: %v %v if %d: %v %q", k.event, serverNames[o.At], actionNames[o.Do], o.If, r, text)
	if r.Outcome == Done && (o.Do == Act || o.Do == Create) {
		w.authors[string(m.item.Data)] = k.event
	}
	switch {
	case o.Do == Act || o.Do == Create || k.stage == before || k.stage == after:
		k.reply = text
	case o.Do == Delete && r.Outcome == Done && held && k.mayDelete(o, was):
		loss := w.loses()
		if k.fetches(o) {
			loss.to, k.loss = -1, loss
		}
	case o.Do == Fill && r.Outcome == Done && k.loss != nil:
		k.loss.verb, k.loss = "", nil
	}
	return r
}

// fetches reports whether an operation of a call takes the item away from the old server to store it on the new one,
// or as there is one.
func (k *call) fetches(o Operation) bool {
	return o.At == Old && k.stage != leaving && kinds[k.verb] != Set && kinds[k.verb] != Remove
}

// mayDelete reports whether a call may delete an item with a CAS: if it takes the item away, no other than it has seen there, or than was
// there when it saw one on the new server.
func (k *call) mayDelete(o Operation, cas uint64) bool {
	return !k.fetches(o) || cas == k.takes
}

var (
	serverNames  = [...]string{"old", "new"}
	actionNames  = [...]string{"nothing", "look", "act", "create", "reserve", "fill", "delete"}
	outcomeNames = [...]string{"lost", "done", "absent", "present", "changed", "refused"}
)

func (r *Reply) String() string {
	data := strconv.Quote(string(r.Item.Data))
	if r.Placeholder {
		data = "a placeholder"
	}
	return fmt.Sprintf("%s %s (ttl %d, cas %d)", outcomeNames[r.Outcome], data, r.Item.TTL, r.Item.CAS)
}

// loses notes that the item may be lost in this moment.
func (w *world) loses() *event {
	e := &event{command: command{verb: "lose"}, said: "OK", from: w.step, to: w.step, at: w.now, till: w.now}
	w.events = append(w.events, e)
	return e
}
