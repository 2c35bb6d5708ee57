package limits

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Verbs are the verbs on limits, in the order in which help lists them.
var Verbs = []*verbs.Verb{&limit}

// limit asks whether something may be done, and counts it if so.
var limit = verbs.Verb{
	Verb:       protocol.Verb{Name: "limit", Usage: "<key> <count> <seconds> [<n>] [noreply]", Read: readLimit},
	Does:       "tells whether n more (1) of so many in so many seconds are allowed, and counts them if so; 0 only asks",
	Carry:      &verbs.Carry{By: protocol.Incr, Shape: "<key>/<count>/<seconds>", Words: 2, Asks: "0", Number: freeBefore},
	NamedParts: true,
	Traces:     verbs.Scattered,
	Run: verbs.Coroutine(func(c *verbs.Call) {
		call := callOf(c)
		if all := call.turn(); all != nil {
			call.lead(all)
			return
		}
		call.answer()
	}),
}

// call is a call of the verb.
type call struct {
	*verbs.Call
	window window
	name   string // what the keys of its counters begin with
	asked  *request
}

func callOf(c *verbs.Call) call {
	count, seconds, n := numbers(c.Words)
	w := window(seconds)
	c.Name = w.appendName(c.Name[:0], c.Key)
	return call{c, w, string(c.Name), &request{count: count, n: n}}
}

// answer tells the client what was decided on its request.
func (c call) answer() {
	r := c.asked
	if r.failure != "" {
		c.Fail(verbs.Reply{Err: r.failure})
		return
	}
	allowed := "0 "
	if r.allowed {
		allowed = "1 "
	}
	c.Answer = append(c.Answer, allowed...)
	c.Answer = append(strconv.AppendUint(c.Answer, r.left, 10), ' ')
	c.Answer = append(strconv.AppendInt(c.Answer, r.ms, 10), "\r\n"...)
	c.Done()
}

// freeBefore returns the number that an incr answers with, given the answer of the verb: how many were free before
// one was taken, so that it is 0 exactly if nothing was allowed. If more than one was asked for, it is one more than
// are free now.
func freeBefore(answer []byte) (number uint64) {
	allowed, rest := protocol.NextWord(answer)
	left, _ := protocol.NextWord(rest)
	if string(allowed) == "1" {
		number, _ = protocol.ParseUint(left)
		number++
	}
	return number
}
