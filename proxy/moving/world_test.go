package moving

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stage is how far a simulated proxy has come: the phases of a move, and before and after it.
type stage int

const (
	before stage = iota
	both
	moving
	leaving
	ending
	after
)

var stageNames = [...]string{"before", "both", "moving", "leaving", "ending", "after"}

func (s stage) String() string { return stageNames[s] }

// proxy is a simulated proxy.
type proxy struct{ stage stage }

// client sends one command after another to a proxy. A sweep is a client, too, whose commands are to bring the item over.
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
	expects   string // the value that a cas expects
	said      string // empty if nobody knows
	from, to  int    // steps
	at, till  int64  // seconds
	impatient bool   // it was told of a miss as it has met placeholders only
	hidden    bool   // it was told of a miss as it has not looked on the old server, where the item was
	read      *event // of a get: who has stored what it has read
	stage     stage
}

// call is a command under way, or what is left of it.
type call struct {
	Call
	*event
	client *client
	op     Operation
	reply  string // to the command itself
	loss   *event // the item is between the servers
	met    uint64 // the CAS of the placeholder that it has met last
	lost   bool   // an operation may yet be carried out
	strays bool   // it deletes a stray that it has found
	empty  bool   // the old server had no item at some moment of it
	behind bool   // the item was on the old server when it looked last
	takes  uint64 // the CAS of that item, if it has seen it there, or one on the new server
}

// delayed is an operation on a broken connection.
type delayed struct {
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
	delayed []delayed
	events  []*event
	authors map[string]*event // who has stored each value
	left    bool              // what is on the old server is nobody's item any more
	unmoved bool              // the old server had an item all the time while the item was brought over
	naive   bool              // strays are taken for items
	step    int
	now     int64 // seconds
	patient bool  // nobody who has met a placeholder goes on before others can't, or it is gone
	log     []string
	silent  bool // nothing is logged
}

// start is how a world begins.
type start struct {
	stages []stage // of the proxies, the one that is behind first
	item   string  // empty for none
	at     Server  // that has the item
	stray  string  // the value of a stray on the new server, empty for none
	left   string  // that of an outdated item on the old server, empty for none
}

// mark is the CAS of the item by which proxies tell strays on the new server, and strayCAS is that of one.
const mark, strayCAS = 1_000_000, 500_000

// newWorld returns a world of proxies and their clients.
func newWorld(s start, programs [][]string) *world {
	w := &world{now: 1000, authors: map[string]*event{}, left: s.left != ""}
	for _, at := range s.stages {
		w.proxies = append(w.proxies, &proxy{at})
	}
	w.servers[New].cas = mark // so that CAS values of the servers are different
	if s.item != "" {
		w.servers[s.at].store(s.item, 7, forever)
		w.events = append(w.events, &event{command: command{verb: "set", value: s.item}, said: "STORED", at: w.now, till: w.now})
	}
	if s.stray != "" {
		w.servers[New].store(s.stray, 7, forever)
		w.servers[New].item.CAS = strayCAS
	}
	if s.left != "" {
		w.servers[Old].store(s.left, 7, forever)
	}
	for i, p := range programs {
		w.clients = append(w.clients, &client{proxy: w.proxies[i*len(w.proxies)/len(programs)], commands: slices.Clone(p), answered: true})
	}
	w.step++
	return w
}

// possible reports whether a world may begin so: while all proxies ask the old server, the item is there; a server has one item;
// strays are swept before a proxy passes commands on to the new server; and what the old server has is left there when all proxies
// that may move it are gone.
func (s *start) possible() bool {
	first, last := s.stages[0], s.stages[len(s.stages)-1]
	return (s.item == "" || s.at == Old && last < ending || s.at == New && last >= moving) &&
		(s.stray == "" || last < after && (s.item == "" || s.at == Old)) &&
		(s.left == "" || first >= leaving && last >= ending && (s.item == "" || s.at == New))
}

// lives reports whether a server has an item of clients that is neither a stray nor left.
func (w *world) lives(at Server) bool {
	m := &w.servers[at]
	return m.holds() && (at == Old && !w.left || at == New && m.item.CAS > mark)
}

func (w *world) note(format string, values ...any) {
	if !w.silent {
		w.log = append(w.log, fmt.Sprintf("%3d ", w.step)+fmt.Sprintf(format, values...))
	}
}

// mayBegin reports whether a client may begin its next command. Only a proxy in the phase Moving brings items over.
func (c *client) mayBegin() bool {
	return c.answered && len(c.commands) > 0 && (c.commands[0] != "bring" || c.proxy.stage == moving)
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

// advance carries out the operation of a call, and delivers the reply.
func (w *world) advance(k *call) {
	waits := k.waits
	defer func() {
		if m := w.servers[New].item; k.waits != waits && m != nil {
			k.met = m.CAS
		}
	}()
	r := w.carryOut(k, k.op, k.item)
	switch moves := k.stage != before && k.stage != after; {
	case moves && w.isStray(k.op, r):
		k.op, k.strays = Operation{At: New, Do: Delete, If: r.Item.CAS}, true
		return
	case k.strays:
		k.strays, r = false, &Reply{Outcome: Absent}
		fallthrough
	case moves:
		w.follow(k, k.Next(r, time.Duration(w.now)*time.Second))
		return
	case k.op.Do == Look && r.Outcome == Done:
		w.shows(k, r.Item)
	default:
		w.answer(k, k.reply)
	}
	w.ends(k)
}

// isStray reports whether a proxy has looked at a stray. It deletes that, and takes it for absent.
func (w *world) isStray(o Operation, r *Reply) bool {
	return o.Do == Look && o.At == New && r.found() && r.Item.CAS < mark && !w.naive
}

// loseReply lets the connection of a call break. Its operation may be carried out later.
func (w *world) loseReply(k *call) {
	w.note("    %v: the connection breaks", k.event)
	w.delayed = append(w.delayed, delayed{k, k.op, k.item})
	k.lost, k.strays = true, false
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
		k.impatient = k.waits > 0 && k.under.Do == Look
		k.hidden = k.behind && k.stage == leaving && k.verb != "delete"
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

// ends ends a call. If it has brought the item over, nothing was answered before.
func (w *world) ends(k *call) {
	if kinds[k.verb] == Bring && k.said == "" {
		w.unmoved = w.unmoved || !k.empty
		k.client.answered = true
	}
	if k.loss != nil && !k.lost {
		k.loss.to = w.step
	}
	w.calls = slices.DeleteFunc(w.calls, func(other *call) bool { return other == k })
}

// String lists what happened.
func (w *world) String() string { return strings.Join(w.log, "\n") }

func (e *event) String() string { return fmt.Sprintf("[%d %s %s %d]", e.from, e.verb, e.value, e.ttl) }
