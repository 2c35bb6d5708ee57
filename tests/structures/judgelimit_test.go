package structures

import (
	"fmt"
	"math"
	"time"

	"github.com/anishathalye/porcupine"
)

// windowParts is into how many parts a limit's window is divided: what was counted is free again after the window
// and one of them at most.
const windowParts = 16

// drift is by how much the clocks of the proxies may differ from that of the test: an event loop reads the time once for
// all that it does in a row.
const drift = 30 * time.Millisecond

// asked is a call of a limit.
type asked struct {
	call, back int64
	n          int
	fate       fate
	left       int // how many more were said to be free, or nothingSaid
}

const nothingSaid = -1

// fate is what has become of a call.
type fate int

const (
	unknown fate = iota // it may have been counted
	allowed
	refused
	lost // no call: what was counted is lost
)

// judgeLimit says what is wrong with the history of a limit: an answer that contradicts itself, more allowed in a window
// than should be, or a refusal without a reason. Where memcached evicts, nobody knows how much was forgotten, and anything
// may be allowed.
func judgeLimit(list []porcupine.Operation, forgetful bool) (wrong string) {
	var calls []asked
	var of limitLanguage
	for _, o := range list {
		a := o.Input.(action)
		call := asked{call: a.call, back: a.back, fate: lost, left: nothingSaid}
		if a.verb != vanish {
			of = a.of.(limitLanguage)
			call.n = wanted(a)
			if wrong = of.take(&call, o.Output.(string)); wrong != "" {
				return wrong
			}
		}
		calls = append(calls, call)
	}
	for _, c := range calls {
		if c.fate == allowed && !forgetful && of.tooMany(calls, c) {
			return fmt.Sprintf("more than %s are allowed from %.3f ms on", of, float64(c.call)/1e6)
		}
		if c.fate == refused && of.groundless(calls, c) {
			return fmt.Sprintf("%d refused at %.3f ms without a reason", c.n, float64(c.call)/1e6)
		}
		if least, most := of.mayBeLeft(calls, c, forgetful); c.left != nothingSaid && (c.left < least || c.left > most) {
			return fmt.Sprintf("%d left of %s at %.3f ms, rather than %d to %d", c.left, of, float64(c.call)/1e6, least, most)
		}
	}
	return ""
}

// take enters the answer to a call, which contradicts itself if it allows more than there are, refuses what is left, or tells
// of a time when nothing can be counted any more.
func (l limitLanguage) take(c *asked, answer string) (wrong string) {
	switch answer {
	case unanswered:
		c.fate = unknown
		return ""
	case "0":
		c.fate = refused
		return ""
	}
	var yes, ms int
	if k, err := fmt.Sscanf(answer+"\n", "%d %d %d\n", &yes, &c.left, &ms); k != 3 || err != nil {
		return fmt.Sprintf("the answer is %q", answer)
	}
	longest := int((l.window() + l.window()/windowParts) / int64(time.Millisecond))
	switch {
	case yes == 1 && ms == 0 && 0 <= c.left && c.left <= l.count-c.n:
		c.fate = allowed
	case yes == 0 && 1 <= ms && ms <= longest+1 && 0 <= c.left && c.left <= l.count:
		c.fate = refused
	default:
		return fmt.Sprintf("%d of %s are answered by %q", c.n, l, answer)
	}
	return ""
}

// tooMany reports whether more is allowed in the window that begins with a call than should be. What a memcached that
// died had counted may be allowed twice more: also if it died a window earlier, as what is taken back may come later.
func (l limitLanguage) tooMany(calls []asked, first asked) bool {
	end := first.call + l.window() - int64(drift)
	sum, most := 0, l.count
	for _, c := range calls {
		switch {
		case c.fate == lost && c.call >= first.call-l.window() && c.call <= end:
			most += 2 * l.count
		case c.fate == allowed && c.call >= first.call && c.back <= end:
			sum += c.n
		}
	}
	return sum > most
}

// groundless reports whether a call was refused although, with all that may have counted then, there was room for it.
func (l limitLanguage) groundless(calls []asked, of asked) bool {
	return of.back != math.MaxInt64 && max(of.n, 1)+l.mayCount(calls, of) <= l.count
}

// mayCount returns how much of others may count for a call at most. What was refused to them may count as well: it was added,
// and whether it could be taken back is unknown.
func (l limitLanguage) mayCount(calls []asked, of asked) (sum int) {
	since := of.call - l.window() - l.window()/windowParts - int64(drift)
	for _, c := range calls {
		if c != of && c.fate != lost && c.call <= of.back && c.back >= since {
			sum += c.n
		}
	}
	return sum
}

// mayBeLeft returns how many may be free after a call. What was allowed to others before counts for a window at least, unless
// it may have been lost: then that tells nothing, as for [limitLanguage.tooMany].
func (l limitLanguage) mayBeLeft(calls []asked, of asked, forgetful bool) (least, most int) {
	most = l.count
	if of.fate == allowed {
		most -= of.n
	}
	least, unlost := max(most-l.mayCount(calls, of), 0), most
	for _, c := range calls {
		switch {
		case c.fate == lost && c.call <= of.back && c.call >= of.call-2*l.window():
			return least, unlost
		case c.fate == allowed && c.back <= of.call && of.back <= c.call+l.window()-int64(drift) && !forgetful:
			most -= c.n
		}
	}
	return least, most
}
