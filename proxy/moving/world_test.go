package moving

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// stage is how far a simulated proxy has come: the phases of a move, and before and after it.
type stage int

const (
	before stage = iota
	both
	moving
	ending
	after
)

var stageNames = [...]string{"before", "both", "moving", "ending", "after"}

func (s stage) String() string { return stageNames[s] }

// proxy is a simulated proxy.
type proxy struct{ stage stage }

// client sends one command after another to a proxy.
type client struct {
	proxy    *proxy
	commands []string
	answered bool   // its last command is
	cas      uint64 // which its last gets was told
	value    string // the value to which that belongs
}

// event is a command of a client, or the loss of the item.
type event struct {
	command
	expects  string // the value that a cas expects
	said     string // empty if nobody knows
	from, to int    // steps
	at, till int64  // seconds
	read     *event // of a get: who has stored what it has read
	stage    stage
}

// call is a command under way, or what is left of it.
type call struct {
	Call
	*event
	client *client
	op     Operation
	reply  string // to the command itself
	loss   *event // the item is between the servers
	found  int    // how many changes there had been when it met a placeholder last
	lost   bool   // an operation may yet be carried out
}

// stray is an operation on a broken connection.
type stray struct {
	call  *call
	op    Operation
	found Item
}

// world is two servers, proxies and their clients.
type world struct {
	servers [2]memcached
	proxies []*proxy
	clients []*client
	calls   []*call
	strays  []stray
	events  []*event
	authors map[string]*event // who has stored each value
	step    int
	now     int64 // seconds
	changes int   // operations that were no looks
	patient bool  // nobody looks at a placeholder again before there is another of these
	log     []string
	silent  bool // nothing is logged
}

// newWorld returns a world of two proxies in stages, with an item on a server unless that is empty.
func newWorld(first, second stage, item string, at Server, programs [][]string) *world {
	w := &world{proxies: []*proxy{{first}, {second}}, now: 1000, authors: map[string]*event{}}
	w.servers[New].cas = 1_000_000 // so that CAS values of the servers are different
	if item != "" {
		w.servers[at].store(item, 7, forever)
		w.events = append(w.events, &event{command: command{verb: "set", value: item}, said: "STORED", at: w.now, till: w.now})
	}
	for i, p := range programs {
		w.clients = append(w.clients, &client{proxy: w.proxies[i*2/len(programs)], commands: slices.Clone(p), answered: true})
	}
	w.step++
	return w
}

// mayHave reports whether a server may have the item when proxies are in stages.
func mayHave(at Server, first, second stage) bool {
	if at == Old {
		return max(first, second) < ending
	}
	return max(first, second) >= moving
}

func (w *world) note(format string, values ...any) {
	if !w.silent {
		w.log = append(w.log, fmt.Sprintf("%3d ", w.step)+fmt.Sprintf(format, values...))
	}
}

// begin begins the next command of a client.
func (w *world) begin(c *client) {
	words := append(strings.Fields(c.commands[0]), "", "")
	c.commands = c.commands[1:]
	e := &event{command: command{verb: words[0], value: words[1]}, from: w.step, to: -1, at: w.now, stage: c.proxy.stage}
	switch e.verb {
	case "touch", "gat":
		e.ttl, _ = strconv.ParseInt(words[1], 10, 64)
	case "cas":
		e.cas, e.expects = c.cas, c.value
	}
	if words[2] != "" {
		e.ttl, _ = strconv.ParseInt(words[2], 10, 64)
	}
	w.note("%v %v begins", e, c.proxy.stage)
	w.events = append(w.events, e)
	c.answered = false
	k := &call{event: e, client: c}
	w.calls = append(w.calls, k)
	switch e.stage {
	case before, after:
		k.op = plain(e.verb, map[stage]Server{before: Old, after: New}[e.stage])
	default:
		w.follow(k, k.Begin(kinds[e.verb], Phase(e.stage-both)))
	}
}

// plain is the operation of a command that is passed to one server.
func plain(verb string, at Server) Operation {
	switch kinds[verb] {
	case Get, Gets:
		return Operation{At: at, Do: Look}
	case Remove:
		return Operation{At: at, Do: Delete}
	case Add:
		return Operation{At: at, Do: Create}
	}
	return Operation{At: at, Do: Act}
}

// carryOut carries out an operation of a call, and notes what is lost by it.
func (w *world) carryOut(k *call, o Operation, found Item) *Reply {
	m := &w.servers[o.At]
	m.expire(w.now)
	held, was := m.holds(), uint64(0)
	if held {
		was = m.item.CAS
	}
	r, text := m.carryOut(o, k.command, found, w.now)
	if k.verb == "count" && o.Do == Act && r.Outcome == Absent && (k.stage == before || k.stage == after) {
		o.Do = Create
		r, text = m.carryOut(o, k.command, found, w.now)
	}
	w.note("    %v: %v %v if %d: %v %q", k.event, serverNames[o.At], actionNames[o.Do], o.If, r, text)
	if r.Outcome == Done && (o.Do == Act || o.Do == Create) {
		w.authors[string(m.item.Data)] = k.event
	}
	if o.Do != Look {
		w.changes++
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

// fetches reports whether an operation of a call takes the item away from the old server to store it on the new one.
func (k *call) fetches(o Operation) bool {
	return o.At == Old && kinds[k.verb] != Set && kinds[k.verb] != Remove
}

// mayDelete reports whether a call may delete an item with a CAS: if it fetches an item, no other one.
func (k *call) mayDelete(o Operation, cas uint64) bool {
	return !k.fetches(o) || cas == k.item.CAS
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

// advance carries out the operation of a call, and delivers the reply.
func (w *world) advance(k *call) {
	met := k.waits
	defer func() {
		if k.waits != met {
			k.found = w.changes
		}
	}()
	r := w.carryOut(k, k.op, k.item)
	if k.stage == before || k.stage == after {
		if k.op.Do == Look && r.Outcome == Done {
			w.shows(k, r.Item)
		} else {
			w.answer(k, k.reply)
		}
		w.ends(k)
		return
	}
	w.follow(k, k.Next(r, time.Duration(w.now)*time.Second))
}

// loseReply lets the connection of a call break. Its operation may be carried out later.
func (w *world) loseReply(k *call) {
	w.note("    %v: the connection breaks", k.event)
	w.strays = append(w.strays, stray{k, k.op, k.item})
	k.lost = true
	if k.stage == before || k.stage == after {
		w.answer(k, "")
		w.ends(k)
		return
	}
	w.follow(k, k.Next(&Reply{Outcome: Lost}, time.Duration(w.now)*time.Second))
}

// follow takes a step of a call.
func (w *world) follow(k *call, s Step) {
	switch s.Answer {
	case NoAnswer:
	case Shows:
		w.shows(k, k.Item())
	case Passes:
		w.answer(k, k.reply)
	case Misses:
		w.answer(k, absence(k.verb))
	case Exists:
		w.answer(k, "NOT_STORED")
	case Removed:
		w.answer(k, "DELETED")
	case Unreached, Busy:
		w.answer(k, "ERROR")
	case Unknown:
		w.answer(k, "")
	}
	if k.op = s.Operation; k.op.Do == Nothing {
		w.ends(k)
	}
}

// shows answers a get with an item.
func (w *world) shows(k *call, i Item) {
	k.client.cas, k.client.value, k.read = i.CAS, string(i.Data), w.authors[string(i.Data)]
	w.answer(k, "="+string(i.Data))
}

// answer answers a client. It does not know the outcome if the answer is empty.
func (w *world) answer(k *call, text string) {
	w.note("%v: %q", k.event, text)
	k.client.answered, k.said, k.till, k.to = true, text, w.now, w.step
}

// ends ends a call.
func (w *world) ends(k *call) {
	if k.loss != nil && !k.lost {
		k.loss.to = w.step
	}
	w.calls = slices.DeleteFunc(w.calls, func(other *call) bool { return other == k })
}

// late carries out an operation of a broken connection.
func (w *world) late(i int) {
	s := w.strays[i]
	w.strays = slices.Delete(w.strays, i, i+1)
	w.carryOut(s.call, s.op, s.found)
}

// evict evicts the item of a server.
func (w *world) evict(at Server) {
	m := &w.servers[at]
	w.note("    %v evicts", serverNames[at])
	if m.holds() {
		w.loses()
	}
	m.item = nil
}

// mayAdvance reports whether a proxy may go on to the next stage, and nobody is too far behind or ahead then.
func (w *world) mayAdvance(p *proxy) bool {
	next := p.stage + 1
	switch {
	case next > after, next == ending && w.servers[Old].item != nil: // which is swept
		return false
	case next == after && w.servers[New].item != nil && !w.servers[New].holds(): // a placeholder has expired by then
		return false
	}
	for _, other := range w.proxies {
		if other.stage < next-1 {
			return false
		}
	}
	return !slices.ContainsFunc(w.calls, func(k *call) bool { return k.stage < next-1 }) &&
		!slices.ContainsFunc(w.strays, func(s stray) bool { return s.call.stage < next-1 })
}

// run runs the clients to their end.
func (w *world) run(choose verbtest.Chooser, advances bool) {
	for w.step = 1; ; w.step++ {
		var ways []func()
		for _, k := range w.calls {
			if w.patient && k.waits > 0 && k.found == w.changes && len(w.calls) > 1 {
				continue
			}
			ways = append(ways, func() { w.advance(k) })
		}
		for _, c := range w.clients {
			if c.answered && len(c.commands) > 0 {
				ways = append(ways, func() { w.begin(c) })
			}
		}
		if len(ways) == 0 {
			return
		}
		for _, p := range w.proxies {
			if advances && w.mayAdvance(p) {
				ways = append(ways, func() { p.stage++; w.note("a proxy is in stage %v", p.stage) })
			}
		}
		if f := choose.Fault(len(mishaps)); f > 0 {
			mishaps[f-1](w, choose)
			continue
		}
		ways[choose.Pick(len(ways))]()
	}
}

// mishaps are what may go wrong.
var mishaps = []func(*world, verbtest.Chooser){
	func(w *world, choose verbtest.Chooser) {
		if len(w.calls) > 0 {
			w.loseReply(w.calls[choose.Pick(len(w.calls))])
		}
	},
	func(w *world, choose verbtest.Chooser) {
		if len(w.strays) > 0 {
			w.late(choose.Pick(len(w.strays)))
		}
	},
	func(w *world, _ verbtest.Chooser) { w.evict(Old) },
	func(w *world, _ verbtest.Chooser) { w.evict(New) },
	func(w *world, _ verbtest.Chooser) { w.tick() },
}

// tick lets a second pass, unless an item is on its way for longer than one.
func (w *world) tick() {
	for _, k := range w.calls {
		if k.op.Do == Fill && w.now > int64(k.seen/time.Second) {
			return
		}
	}
	w.now++
	w.note("    it is %d", w.now)
}

// observes shows what is there in the end, and what comes to light when the new server evicts it; or first, what is there when all
// times to live are over.
func (w *world) observes(later bool) {
	if later {
		w.now += 10
	}
	w.clients = append(w.clients, &client{proxy: w.proxies[1], answered: true})
	c := w.clients[len(w.clients)-1]
	for range 3 {
		w.step++
		c.commands = []string{"get"}
		w.begin(c)
		for len(w.calls) > 0 {
			w.step++
			w.advance(w.calls[0])
		}
		w.step++
		w.evict(New)
	}
}

// String lists what happened.
func (w *world) String() string { return strings.Join(w.log, "\n") }

func (e *event) String() string { return fmt.Sprintf("[%d %s %s %d]", e.from, e.verb, e.value, e.ttl) }
