package lists

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// ltrim removes all elements but those from one place to another.
var ltrim = verbs.Verb{
	Verb:  protocol.Verb{Name: "ltrim", Usage: "<key> <start> <stop> [noreply]", Read: readTrim},
	Does:  "removes all elements of a list but those from one place to another, both included",
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<list>"},
	Run:   onLists(listCall.ltrim),
}

func (c listCall) ltrim() {
	dead, live := 0, 0
	weigh := func(list *List) { dead, live = list.Dead(), list.Live() }
	r, much := c.trim(false, weigh)
	if much {
		r, _ = c.trim(true, weigh)
	}
	switch r.Status {
	case verbs.Stored:
		c.Say("STORED")
	case verbs.Missing:
		c.Say("NOT_FOUND")
	default:
		c.Fail(r)
	}
	c.tidy(r, dead, live)
}

// trim trims the list. If that removes much, it does so only if alone is set. It calls weigh
// with the list.
func (c listCall) trim(alone bool, weigh func(*List)) (r verbs.Reply, much bool) {
	r = c.Decide(alone, func(p *verbs.Pace, fold structure.Fold) []byte {
		list := fold.(*List)
		weigh(list)
		from, to := c.span(list.Live())
		c.Buf = c.Buf[:0]
		if much = !alone && list.Live()-(to-from) > fewRemoved; much {
			return nil
		}
		c.remove(p, list, list.end(p, from, removeFirst), removeFirst)
		c.remove(p, list, list.end(p, list.Live()-to, removeLast), removeLast)
		return c.Buf
	}, &structure.Order{
		Append: func(dst []byte, to *structure.Batch) []byte {
			c.Buf = appendTrim(c.Buf[:0], &to.ID, c.Words)
			return append(dst, c.Buf...)
		},
		Take: func(_ *verbs.Pace, fold structure.Fold, id *structure.OrderID, from int) (n int, ok bool) {
			much = false
			weigh(fold.(*List))
			_, _, ok = fold.(*List).taken(nil, id, from, 0)
			return 0, ok
		},
	})
	return r, much && r.Status == verbs.Stored
}
