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
}

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
		call := asked{call: a.call, back: a.back, fate: lost}
		if a.verb != vanish {
			of = a.of.(limitLanguage)
			call.n = wanted(a)
			if call.fate, wrong = of.fateOf(call.n, o.Output.(string)); wrong != "" {
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
	}
	return ""
}

// fateOf reads the answer to a call for n, which contradicts itself if it allows more than there are, refuses what is left,
// or tells of a time when nothing can be counted any more.
func (l limitLanguage) fateOf(n int, answer string) (f fate, wrong string) {
	if answer == unanswered {
		return unknown, ""
	}
	var yes, left, ms int
	if k, err := fmt.Sscanf(answer+"\n", "%d %d %d\n", &yes, &left, &ms); k != 3 || err != nil {
		return unknown, fmt.Sprintf("the answer is %q", answer)
	}
	longest := int((l.window() + l.window()/windowParts) / int64(time.Millisecond))
	switch {
	case yes == 1 && ms == 0 && 0 <= left && left <= l.count-n:
		return allowed, ""
	case yes == 0 && 1 <= ms && ms <= longest+1 && 0 <= left && left <= l.count:
		return refused, ""
	}
	return unknown, fmt.Sprintf("%d of %s are answered by %q", n, l, answer)
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

// groundless reports whether a call was refused although, with all that may have counted then, there was room for it. What
// was refused to others may count as well: it was added, and whether it could be taken back is unknown.
func (l limitLanguage) groundless(calls []asked, of asked) bool {
	since := of.call - l.window() - l.window()/windowParts - int64(drift)
	sum := max(of.n, 1)
	for _, c := range calls {
		if c != of && c.fate != lost && c.call <= of.back && c.back >= since {
			sum += c.n
		}
	}
	return of.back != math.MaxInt64 && sum <= l.count
}
