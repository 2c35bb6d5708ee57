package namespace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// server is a simulated memcached.
type server struct {
	items map[string]string
}

// operation is one memcached operation on the way to the server, and its reply.
type operation struct {
	verb, key, value string
	reply            string
}

// carryOut carries out an operation.
func (s *server) carryOut(o *operation) {
	old, there := s.items[o.key]
	switch o.verb {
	case "get":
		o.reply = old
		return
	case "set":
		there = false
	case "add":
		if there {
			o.reply = "NOT_STORED"
			return
		}
	case "append":
		if !there {
			o.reply = "NOT_STORED"
			return
		}
		o.value = old + o.value
	case "delete":
		if delete(s.items, o.key); !there {
			o.reply = "NOT_FOUND"
			return
		}
		o.reply = "DELETED"
		return
	}
	s.items[o.key] = o.value
	o.reply = "STORED"
}

// link is a connection to the server. Its operations are carried out in order; batches are answered as a whole.
type link struct {
	batch []*operation
	done  int
	then  func() // takes the replies
	lost  func() // is called in its place if the connection breaks
}

func (l *link) idle() bool { return len(l.batch) == 0 }

func (l *link) send(then, lost func(), batch ...*operation) {
	l.batch, l.done, l.then, l.lost = batch, 0, then, lost
}

// simProxy is a simulated proxy with its memory of generations. It has a connection to ask for these, and each client has one.
type simProxy struct {
	world  *world
	spaces *Spaces
	lookup link
}

func (p *simProxy) space() *Space { return p.spaces.Of([]byte(text)) }

// text is the namespace of the simulated keys.
const text = "n:"

// perform sends what a lookup needs.
func (p *simProxy) perform(task Task) {
	s := p.space()
	var o *operation
	var then func()
	switch task {
	case Nothing:
		return
	case Read:
		o = &operation{verb: "get", key: text}
		then = func() { g, _ := ParseGeneration([]byte(o.reply)); p.goOn(s.HasRead(g)) }
	case Create:
		o = &operation{verb: "add", key: text, value: string(s.Fresh[:])}
		then = func() { p.goOn(s.HasCreated(o.reply == "STORED")) }
	}
	p.lookup.send(then, func() { p.goOn(Nothing, s.Fail()) }, o)
}

func (p *simProxy) goOn(task Task, ready []Waiter) {
	for _, w := range ready {
		refusal := ""
		if !p.space().Present().Known() {
			refusal = "SERVER_ERROR"
		}
		w.Proceed(p.space().Present(), refusal)
	}
	p.perform(task)
}

// simClient is a client of a proxy. It sends one command after another.
type simClient struct {
	proxy    *simProxy
	link     link
	commands []string
	now      *event // the command under way
	call     Call
}

// begin begins the next command.
func (c *simClient) begin() {
	c.now = c.proxy.world.note(c.commands[0])
	c.commands = c.commands[1:]
	if c.now.verb == "flush" {
		o := &operation{verb: "delete", key: text}
		c.link.send(func() { c.answer("OK") }, func() { c.answer("") }, o)
		return
	}
	c.call = Call{Order: map[string]Order{"get": After, "set": Before}[c.now.verb]}
	switch c.now.verb {
	case "get", "set":
	case "make":
		c.call.Order = OrderOfVerb(false, false)
	default:
		c.call.Order = Around
	}
	c.enter()
}

func (c *simClient) enter() {
	g, task := c.proxy.space().Enter(c)
	if g.Known() {
		c.Proceed(g, "")
	}
	c.proxy.perform(task)
}

// Proceed implements [Waiter].
func (c *simClient) Proceed(g Generation, refusal string) {
	if refusal != "" {
		c.answer("")
		return
	}
	c.call.Under = g
	key := string(g.AppendKey(nil, []byte(text+c.now.key), len(text)))
	if c.now.verb == "make" {
		c.make(key)
		return
	}
	o := &operation{verb: c.now.verb, key: key, value: c.now.value}
	before, after := &operation{verb: "get", key: text}, &operation{verb: "get", key: text}
	var batch []*operation
	if c.call.Order.AsksBefore() {
		batch = append(batch, before)
	}
	if batch = append(batch, o); c.call.Order.AsksAfter() {
		batch = append(batch, after)
	}
	c.link.send(func() { c.judge(o.reply, before, after) }, func() { c.answer("") }, batch...)
}

// make carries out a verb of two round trips: it adds an item if it has found none.
func (c *simClient) make(key string) {
	before, after := &operation{verb: "get", key: text}, &operation{verb: "get", key: text}
	find, add := &operation{verb: "get", key: key}, &operation{verb: "add", key: key, value: c.now.value}
	lost := func() { c.answer("") }
	asked := []*operation{find}
	if c.call.Order.AsksBefore() {
		asked = []*operation{before, find}
	}
	c.link.send(func() {
		last := add
		if find.reply != "" {
			last, find.reply = &operation{verb: "get", key: key}, "NOT_STORED"
		}
		batch := []*operation{last}
		if c.call.Order.AsksAfter() {
			batch = append(batch, after)
		}
		c.link.send(func() { c.judge(cmp.Or(find.reply, add.reply), before, after) }, lost, batch...)
	}, lost, asked...)
}

func (c *simClient) judge(reply string, before, after *operation) {
	var seen Seen
	seen.Before, _ = ParseGeneration([]byte(before.reply))
	seen.After, _ = ParseGeneration([]byte(after.reply))
	verdict := c.call.Judge(seen, Undone([]byte(reply)))
	if verdict != Answers {
		c.proxy.perform(c.proxy.space().Outdated(c.call.Under, seen.Last(c.call.Order)))
	}
	switch verdict {
	case Answers:
		if c.now.verb == "get" {
			reply = "=" + reply
		}
		c.answer(reply)
	case Repeats:
		c.enter()
	default:
		c.answer("")
	}
}

// answer ends the command under way. The outcome is unknown if the answer is empty.
func (c *simClient) answer(answer string) {
	c.now.answer, c.now.to = answer, c.proxy.world.step
	c.now = nil
}

// event is a command of a client, or what happens to the server.
type event struct {
	verb, key, value string
	answer           string // empty if nobody knows
	from, to         int
}

// world is a server, its proxies and their clients.
type world struct {
	server  server
	proxies []*simProxy
	clients []*simClient
	stray   [][]*operation // what broken connections may still carry out, each in order
	events  []*event
	step    int
	made    uint64
}

// note notes that a command begins.
func (w *world) note(command string) *event {
	words := append(strings.Fields(command), "", "")
	e := &event{verb: words[0], key: words[1], value: words[2], from: w.step, to: -1}
	w.events = append(w.events, e)
	return e
}

// happens notes something that happens at this moment.
func (w *world) happens(verb string) { e := w.note(verb); e.answer, e.to = "OK", w.step }

// newWorld returns a world of two proxies, whose clients have commands: the first half of them are the first proxy's.
func newWorld(commands [][]string) *world {
	w := &world{server: server{map[string]string{}}}
	for range 2 {
		w.proxies = append(w.proxies, &simProxy{world: w, spaces: NewSpaces(func() uint64 { w.made++; return w.made }, new(uint64))})
	}
	for i, list := range commands {
		w.clients = append(w.clients, &simClient{proxy: w.proxies[i*2/len(commands)], commands: slices.Clone(list)})
	}
	return w
}

// busy returns the connections with operations under way.
func (w *world) busy() (links []*link) {
	for _, p := range w.proxies {
		if !p.lookup.idle() {
			links = append(links, &p.lookup)
		}
	}
	for _, c := range w.clients {
		if !c.link.idle() {
			links = append(links, &c.link)
		}
	}
	return links
}

// advance carries out the next operation of a connection, and delivers the replies if it was the last of its batch.
func (w *world) advance(l *link) {
	w.server.carryOut(l.batch[l.done])
	if l.done++; l.done == len(l.batch) {
		then := l.then
		*l = link{}
		then()
	}
}

// breaks breaks a connection. What is under way may still be carried out, at any time.
func (w *world) breaks(l *link) {
	w.stray = append(w.stray, l.batch[l.done:])
	lost := l.lost
	*l = link{}
	lost()
}

// evicts evicts the generation.
func (w *world) evicts() {
	if _, there := w.server.items[text]; there {
		delete(w.server.items, text)
		w.happens("flush")
	}
}

// String lists the events.
func (w *world) String() string {
	var b strings.Builder
	for _, e := range w.events {
		fmt.Fprintf(&b, "%3d-%3d %s %s %s: %s\n", e.from, e.to, e.verb, e.key, e.value, e.answer)
	}
	return b.String()
}
