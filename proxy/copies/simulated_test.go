package copies

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// item is an item of a simulated memcached.
type item struct {
	value int // the number of the change that has stored it; marked for a mark
	cas   uint64
}

const marked = -1

// server is a simulated memcached with one item. All proxies see its outages at the same time.
type server struct {
	item   *item
	cas    uint64
	epoch  uint32
	up     bool
	flying []*operation // on the way to it
	stray  []*operation // what broken connections may still carry out, until it is back
	stale  bool         // a proxy remembers the key
}

// operation is one operation on the way to a server and back. Operations have no order among them.
type operation struct {
	verb    string // get, set, delete, or another one of carryOut
	value   int
	cas     uint64 // to be compared
	carried bool
	reply   item // of get, mark
	found   bool // there was an item, or it was stored
	then    func(Result)
}

// carryOut carries out an operation.
func (s *server) carryOut(o *operation) {
	o.carried = true
	o.found = s.item != nil
	store := func() { s.cas++; s.item = &item{o.value, s.cas}; o.reply = *s.item }
	switch o.verb {
	case "get":
		if o.found {
			o.reply = *s.item
		}
	case "set":
		store()
	case "delete":
		s.item = nil
	case "touch":
	case "add", "mark":
		if !o.found {
			store()
		}
		o.found = !o.found
	case "replace":
		if o.found {
			store()
		}
	case "fill":
		if o.found && s.item.cas == o.cas {
			store()
		}
	case "unmark":
		if o.found && s.item.cas == o.cas {
			s.item = nil
		}
	}
}

// world is some servers, one for each copy of a key, and what clients of proxies do.
type world struct {
	servers []*server
	changes int // begun so far; each stores its number
	floor   int // the last change that was acknowledged
	change  *change
	gets    []*get
	fills   int
	filled  int
	told    []string
	wrong   string
}

// change is the change under way. A client waits for it before the next change of the key is made by anybody.
type change struct {
	Change
	verb  string
	value int
	world *world
}

// get is a get under way.
type get struct {
	world *world
	floor int // when it began
	asked int
}

func newWorld(copies int) *world {
	w := &world{}
	for range copies {
		w.servers = append(w.servers, &server{up: true, epoch: 1})
	}
	return w
}

func (w *world) note(format string, args ...any) {
	w.told = append(w.told, fmt.Sprintf(format, args...))
}

func (w *world) up() (s Set) {
	for i, server := range w.servers {
		if server.up {
			s = s.With(i)
		}
	}
	return s
}

// send sends an operation.
func (w *world) send(copy int, o *operation) {
	w.servers[copy].flying = append(w.servers[copy].flying, o)
}

// begin begins a change.
func (w *world) begin(verb string) {
	kind := Everywhere
	if verb == "add" || verb == "replace" {
		kind = Alone
	}
	up := w.up()
	if up == 0 || kind == Alone && up.First() != 0 {
		return
	}
	w.changes++
	c := &change{NewChange(kind, len(w.servers), up), verb, w.changes, w}
	w.change = c
	w.note("%s %d begins", verb, c.value)
	for away := range c.Away.All() {
		w.servers[away].stale = true
	}
	step := c.Next()
	for other := range c.Others.All() {
		o := &operation{verb: verb, value: c.value}
		if kind == Alone {
			o.verb = "delete"
		}
		o.then = func(r Result) { c.goOn(c.Told(other, r)) }
		w.send(other, o)
	}
	c.goOn(step)
}

// goOn does what follows.
func (c *change) goOn(s Step) {
	switch s {
	case Leads:
		if !c.world.servers[c.Lead].up {
			c.world.servers[c.Lead].stale = true
			c.goOn(c.LeadTold(Lost))
			return
		}
		o := &operation{verb: c.verb, value: c.value}
		o.then = func(r Result) {
			if r == Lost {
				c.world.servers[c.Lead].stale = true
			}
			s := c.LeadTold(r)
			if s == Answers && c.kind == Alone && !o.found {
				s = Fails // it has changed nothing
			}
			c.goOn(s)
		}
		c.world.send(c.Lead, o)
	case Answers:
		if c.verb != "touch" {
			c.world.floor = c.value
		}
		c.ends("is acknowledged")
	case Fails:
		c.ends("fails")
	}
}

func (c *change) ends(how string) {
	c.world.note("%s %d %s", c.verb, c.value, how)
	if c.world.change == c {
		c.world.change = nil
	}
}

// read begins a get.
func (w *world) read() {
	g := &get{world: w, floor: w.floor}
	w.gets = append(w.gets, g)
	g.ask(w.up().First())
}

// ask asks a copy, or ends with a miss if there is none.
func (g *get) ask(copy int) {
	w := g.world
	if copy < 0 {
		g.ends()
		return
	}
	g.asked = copy
	o := &operation{verb: "get"}
	o.then = func(r Result) {
		switch {
		case r != Replied || !o.found || o.reply.value == marked:
			g.ask(w.up().After(copy))
		case o.reply.value < g.floor:
			w.wrong = fmt.Sprintf("copy %d has %d after change %d", copy, o.reply.value, g.floor)
		default:
			w.note("get finds %d at copy %d", o.reply.value, copy)
			g.ends()
			if lead := w.up().First(); lead >= 0 && lead < copy {
				w.fill(lead, copy)
			}
		}
	}
	w.send(copy, o)
}

func (g *get) ends() {
	g.world.gets = slices.DeleteFunc(g.world.gets, func(other *get) bool { return other == g })
}

// fill fills a copy from another one.
func (w *world) fill(to, from int) {
	f := &Fill{}
	w.fills++
	mark, read, store := &operation{verb: "mark", value: marked}, &operation{verb: "get"}, &operation{verb: "fill"}
	unmark := &operation{verb: "unmark", then: func(Result) {}}
	goOn := func(s FillStep) {
		if s != ToRead && !w.servers[to].up || !w.servers[from].up {
			return
		}
		switch s {
		case ToMark:
			w.send(to, mark)
		case ToRead:
			w.send(from, read)
		case ToStore:
			store.value, store.cas = read.reply.value, f.cas
			w.send(to, store)
		case ToUnmark:
			unmark.cas = f.cas
			w.send(to, unmark)
		}
	}
	mark.then = func(r Result) {
		var cas uint64
		if mark.found && r == Replied {
			cas = mark.reply.cas
		}
		goOn(f.Marked(cas, w.servers[to].epoch))
	}
	read.then = func(r Result) {
		goOn(f.HasRead(r == Replied && read.found && read.reply.value != marked, w.servers[to].epoch))
	}
	store.then = func(r Result) {
		if r == Replied && store.reply.value > 0 {
			w.filled++
			w.note("copy %d is filled with %d from copy %d", to, store.value, from)
		}
	}
	goOn(f.Begin())
}

// fails ends the connections to a server. What was sent may still be carried out until it is back.
func (w *world) fails(s *server, restarts bool) {
	lost := s.flying
	s.up, s.flying = false, nil
	w.note("copy %d is away, restarts: %v", slices.Index(w.servers, s), restarts)
	for _, o := range lost {
		if !o.carried && !restarts {
			s.stray = append(s.stray, o)
		}
	}
	if restarts {
		s.item, s.cas = nil, 0
	}
	for _, o := range lost {
		if o.verb == "set" || o.verb == "delete" {
			s.stale = true
		}
		o.then(Lost)
	}
}

// returns uses a server again. No change may be under way that has passed it by.
func (w *world) returns(i int) {
	s := w.servers[i]
	if w.change != nil && w.change.Away&(1<<i) != 0 {
		return
	}
	if s.stale {
		s.item, s.stale = nil, false
	}
	s.stray, s.up = nil, true
	s.epoch++
	w.note("copy %d is back", i)
}

// mishap lets something go wrong.
func (w *world) mishap(r *rand.Rand) {
	i := r.IntN(len(w.servers))
	s := w.servers[i]
	switch n := r.IntN(6); {
	case n < 2 && s.item != nil && s.item.value != marked:
		w.note("copy %d evicts %d", i, s.item.value)
		s.item = nil
	case n == 2 && s.up:
		w.fails(s, r.IntN(2) == 0)
	case n == 4 && len(s.flying) > 0:
		w.timesOut(s, s.flying[r.IntN(len(s.flying))], r.IntN(2) == 0)
	case n == 3 && len(s.stray) > 0:
		o := s.stray[0]
		s.stray = s.stray[1:]
		s.carryOut(o)
	case !s.up:
		w.returns(i)
	}
}

// timesOut gives up an operation whose server is used further, and that was carried out or never will be.
func (w *world) timesOut(s *server, o *operation, carriesOut bool) {
	if !o.carried && carriesOut {
		s.carryOut(o)
	}
	w.note("copy %d does not answer a %s: it has changed something: %v", slices.Index(w.servers, s), o.verb, o.carried)
	s.flying = slices.DeleteFunc(s.flying, func(other *operation) bool { return other == o })
	o.then(Unclear)
}

// advance carries out an operation, or delivers its reply.
func (w *world) advance(s *server, o *operation) {
	if !o.carried {
		s.carryOut(o)
		return
	}
	s.flying = slices.DeleteFunc(s.flying, func(other *operation) bool { return other == o })
	o.then(Replied)
}

// String lists what has happened.
func (w *world) String() string { return strings.Join(w.told, "\n") + "\n" + w.wrong }
