package structure

import (
	"fmt"
	"hash/maphash"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// A call that decides (decide.go) loses a race against every append of another proxy, and
// where others append all the time it would never win one. After a few lost races it gives an
// order instead: a token that says what to do with whatever is there, such as "remove the
// first element". It is appended without a condition, so nothing can prevent it. Its place in
// the log decides what it does, and the fold remembers that under the order's id. The call
// then reads the structure and finds its answer there.
//
// The log may be folded between the two. So what a fold remembers is written along with it,
// until the caller gives its next order and thereby says that it has its answers, or until
// [OrderLasts] is over.

// Order is how a decision can be carried out as an order.
type Order struct {
	// Append appends tokens with the batch's id to dst, which has those of other calls.
	Append func(dst []byte, to *Batch) []byte
	// Take prepares the call's answer from what fold remembers under id, beginning with
	// element from. It returns how many elements it took, and false if fold remembers
	// nothing under id.
	Take func(p *verbs.Pace, fold Fold, id *OrderID, from int) (n int, ok bool)
}

// Batch is the orders that the calls of one event loop give at once.
type Batch struct {
	ID OrderID
	// Claimed is what the orders so far have claimed and no other should.
	Claimed map[verbs.ID]bool
}

// OrderID names the orders that the calls of one event loop give at once.
type OrderID struct {
	Caller verbs.ID
	Batch  uint64 // counts the caller's orders
	When   int64  // when it was given, in milliseconds since 1970
}

// OrderLasts is how long what an order has done is remembered at least, in milliseconds. The
// clocks of all proxies must agree within this time.
const OrderLasts = 60_000

// Expired reports whether what the order has done need not be remembered any longer.
func (id *OrderID) Expired(now int64) bool {
	return now-id.When > OrderLasts || id.When-now > OrderLasts
}

// Append appends the text of the id to dst: <caller>.<batch>.<when>.
func (id *OrderID) Append(dst []byte) []byte {
	dst = append(append(dst, id.Caller[:]...), '.')
	dst = strconv.AppendUint(dst, id.Batch, 10)
	return strconv.AppendInt(append(dst, '.'), id.When, 10)
}

// ParseOrderID parses an id at the beginning of text. rest is what follows it.
func ParseOrderID(text []byte) (id OrderID, rest []byte, ok bool) {
	if len(text) <= verbs.IDSize || text[verbs.IDSize] != '.' {
		return id, nil, false
	}
	copy(id.Caller[:], text)
	batch, text := digits(text[verbs.IDSize+1:])
	if len(text) == 0 || text[0] != '.' {
		return id, nil, false
	}
	when, rest := digits(text[1:])
	if id.Batch, ok = protocol.ParseUint(batch); !ok {
		return id, nil, false
	}
	id.When, ok = protocol.ParseInt(when)
	return id, rest, ok
}

// digits splits text after its leading digits.
func digits(text []byte) (leading, rest []byte) {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return text[:n], text[n:]
}

// orders is how the deciding calls of one event loop give orders.
type orders struct {
	last      OrderID
	contended [numContended]contended
	seed      maphash.Seed
	always    bool // for tests
}

// contended notes that calls have lost races for a structure.
type contended struct {
	hash  uint64
	until int64 // in milliseconds
}

const (
	// racesLost is how many races a call loses before it gives an order.
	racesLost = 4
	// contendedLasts is how long the next calls don't race at all, in milliseconds.
	contendedLasts = 1000
	// numContended is how many structures are noted. Of two with the same place only the last
	// is.
	numContended = 64
)

// next returns a new id.
func (s *orders) next(env verbs.Env) OrderID {
	if s.last.Batch == 0 {
		s.last.Caller = verbs.NewID(env)
	}
	s.last.Batch++
	s.last.When = env.Now()
	return s.last
}

// place returns the hash of key and where it is noted.
func (s *orders) place(key []byte) (hash uint64, at *contended) {
	if s.seed == (maphash.Seed{}) {
		s.seed = maphash.MakeSeed()
	}
	hash = maphash.Bytes(s.seed, key)
	return hash, &s.contended[hash%numContended]
}

// note notes that calls have lost races for the structure under key.
func (s *orders) note(key []byte, now int64) {
	hash, at := s.place(key)
	*at = contended{hash, now + contendedLasts}
}

// wanted reports whether calls have lost races for the structure under key lately.
func (s *orders) wanted(key []byte, now int64) bool {
	hash, at := s.place(key)
	left := at.until - now
	return s.always || at.hash == hash && left > 0 && left <= contendedLasts
}

// Give gives an order that the call has derived from what it has just read, and returns what
// [Engine.Decide] does. The orders of other calls of the event loop are given together with it.
func (c *Engine) Give(order *Order) verbs.Reply {
	return c.decide(&decision{order: order, given: true})
}

// order makes the decisions as orders, as many as can be given together.
func (r *round) order() verbs.Reply {
	if !r.all[0].given {
		if found := r.loadAgain(); found.Status != verbs.Hit { // elsewhere the tokens would do harm
			return found
		}
		r.GiveBack() // so that the view can be brought up to date
	}
	id := r.env.Decisions().orders.next(r.env)
	appended := r.AppendExisting(r.give(id))
	if appended.Status != verbs.Stored {
		return appended
	}
	switch found := r.loadAgain(); {
	case found.Status == verbs.Failed:
		return found
	case found.Status == verbs.Missing || !r.takeAll(&id):
		return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR it is unknown what this has changed of %s: it was deleted or evicted meanwhile, or the clocks of the proxies differ by a minute", r.Shown(r.Key))}
	}
	views := r.unprobed()
	r.GiveBack()
	r.probeAll(views)
	return appended
}

// takeAll prepares all answers from what was loaded. It returns false if nothing is remembered
// under id.
func (r *round) takeAll(id *OrderID) bool {
	from := 0
	for _, d := range r.all {
		n, ok := d.order.Take(&r.Pace, r.List[0].Fold, id, from)
		if !ok {
			return false
		}
		from += n
	}
	return true
}

// give returns the tokens of the orders for the first decisions, and leaves the others to a
// later round.
func (r *round) give(id OrderID) (tokens []byte) {
	batch := Batch{id, map[verbs.ID]bool{}}
	for i, d := range r.all {
		more := tokens
		if d.order != nil {
			more = d.order.Append(tokens, &batch)
		}
		if i > 0 && (d.order == nil || !Appended(r.env, r.Key, len(more))) {
			r.only(i)
			break
		}
		tokens = more
	}
	return tokens
}

// AppendExisting appends tokens to the call's structure, whatever it has become: Stored with
// Grown and Size; Missing if there is none; or Failed.
func (c *Engine) AppendExisting(tokens []byte) verbs.Reply {
	if len(tokens) == 0 {
		return verbs.Reply{Status: verbs.Stored}
	}
	size := 0
	for range verbs.MaxTries {
		r := c.AppendOnly(c.Key, tokens)
		if r.Status != verbs.NotStored {
			return r
		}
		size = r.Size
		if r := c.MakeRoom(c.Key, size); r.Status == verbs.Failed {
			return r
		}
	}
	return c.Refused(c.Key, size, len(tokens))
}

// loadAgain reads and folds the call's structure, which has probably changed since it was
// read last. It returns Hit, or why that failed.
func (c *Engine) loadAgain() verbs.Reply {
	s := c.loadAfter(c.Key, Sampled, c.viewOf(c.Key))
	if s.Reply.Status == verbs.Hit && c.Read(s) == nil {
		return NotOfKind(c.Shown(c.Key), c.Kind)
	}
	return s.Reply
}
