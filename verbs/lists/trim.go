package lists

import (
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// ltrim removes all elements but those from one place to another.
var ltrim = verbs.Verb{
	Verb:  protocol.Verb{Name: "ltrim", Usage: "<key> <start> <stop> [noreply]", Read: readTrim},
	Does:  "removes all elements of a list but those from one place to another, both included",
	Reads: true, Shrinks: true,
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<list>"},
	Run:   onLists(listCall.ltrim),
}

func (c listCall) ltrim() {
	r, removed := c.trim(few)
	if removed > few {
		r, removed = c.trim(many)
	}
	full := false
	if removed == most { // a full list would have no room for that many removals
		r = c.GiveOrder(c.orderToTrim(func() {}))
		if full = r.Status == verbs.Stored && c.ReachesFull(); full {
			r = c.shorten()
		}
	}
	c.SayDecided(r)
	switch {
	case removed != most:
		c.TidyDecided(r)
	case r.Status == verbs.Stored && !full:
		c.Unload()
		c.Compact(c.Key)
	}
}

// shorten compacts a full list that was just trimmed. Until it is compacted it counts as full, and
// refuses pushes, which somebody who has trimmed it does not expect. If that fails, the outcome says so.
func (c listCall) shorten() verbs.Reply {
	c.Unload()
	r := c.Compact(c.Key)
	if r.Status == verbs.Stored || r.Status == verbs.Missing { // others may have deleted it since
		return verbs.Reply{Status: verbs.Stored}
	}
	_, reason, _ := strings.Cut(r.Err, " ")
	return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR %s was trimmed, but is still full, as it could not be made shorter: %s", c.Shown(c.Key), reason)}
}

// amount is how much a trim removes.
type amount int

const (
	few  amount = iota // so few that the call is decided together with others
	many               // more
	most               // too many for a token each: an order removes them, and the list is compacted
)

// trim trims the list, unless that would remove more than limit. In either case it returns how much that is.
func (c listCall) trim(limit amount) (r verbs.Reply, removed amount) {
	r = c.Decide(limit > few, func(p *verbs.Pace, fold format.Fold) structure.Choice {
		list := fold.(*List)
		from, to := c.span(list.Live())
		c.Buf = c.Buf[:0]
		if removed = few; list.Live()-(to-from) > fewRemoved {
			removed = many
		}
		if removed > limit {
			return structure.Choice{}
		}
		c.remove(p, list, list.end(p, from, removeFirst), removeFirst)
		c.remove(p, list, list.end(p, list.Live()-to, removeLast), removeLast)
		if long := !structure.Appended(c.Env, c.Key, len(c.Buf)); long && (list.Live() > 2*(to-from) || structure.PerhapsFull(c.Call)) {
			removed = most
			return structure.Choice{}
		}
		return structure.Choice{Tokens: c.Buf, Empties: from == to && list.isEmptyWithout(list.Live())}
	}, c.orderToTrim(func() { removed = few }))
	if r.Status != verbs.Stored {
		removed = few
	}
	return r, removed
}

// orderToTrim is the order that does what ltrim asks for. It calls done afterwards.
func (c listCall) orderToTrim(done func()) *structure.Order {
	return &structure.Order{
		Remembered: true,
		Append: func(dst []byte, to *structure.Batch) []byte {
			c.Buf = appendTrim(c.Buf[:0], &to.ID, c.Words)
			return append(dst, c.Buf...)
		},
		Take: func(_ *verbs.Pace, fold format.Fold, id *format.OrderID, from int) (n int, ok bool) {
			done()
			_, ok = fold.(*List).taken(nil, id, from, 0)
			return 0, ok
		},
	}
}
