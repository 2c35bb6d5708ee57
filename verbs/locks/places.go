package locks

import (
	"bytes"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// A lock for several holders (a semaphore) has as many places. Each is a lock of its own, so that no clock can let one
// holder too many in: place 1 is the item under the lock's name, so that a lock of one holder takes part, and the others are
// named after it. If those who ask give different numbers of holders, the largest counts.
//
// A token tries the free places in an order of its own. So those who come at the same time seldom try the same ones; and an
// add whose outcome was unknown is found when the request is repeated, because the places are read first. A token may come
// to hold several places that way, or if two of its requests are carried out at the same time. It releases all of them.

const (
	placeWord  = "place:" // begins the name of a place but the first, which follows the lock's name and a colon
	placeInfix = ":" + placeWord
)

// IsPlace reports whether name, which follows the name of a lock and a colon, has the form of the name of a place.
func IsPlace(name []byte) bool {
	number, named := bytes.CutPrefix(name, []byte(placeWord))
	return named && verbs.IsNumber(number, 2, mostHolders)
}

// at returns the call at a place, from 1 on.
func (c call) at(place int) call {
	c.place = placeKey(c.Key, place)
	return c
}

// placeKey returns the key of a place of the lock under name, from 1 on.
func placeKey(name []byte, place int) []byte {
	if place == 1 {
		return name
	}
	return strconv.AppendInt(append(slices.Clip(name), placeInfix...), int64(place), 10)
}

// look reads the places from one to another and returns, for each, what holds returns.
func (c call) look(from, to int) (found []verbs.Reply) {
	ops := make([]verbs.Op, 0, to-from+1)
	for place := from; place <= to; place++ {
		ops = append(ops, c.at(place).fetch())
	}
	for i, r := range c.AskAll(ops) {
		held, _ := c.at(from + i).holds(r)
		held.Data = nil // valid until the next operation only
		found = append(found, held)
	}
	return found
}

// first returns the place that the token tries first, from 1 on.
func (c call) first() int {
	h := fnv.New32a()
	_, _ = h.Write(c.token)
	return 1 + int(h.Sum32()%uint32(c.holders))
}

// lockPlace takes a place of a lock with holders, or prolongs the one that the token has.
func (c call) lockPlace() {
	for range verbs.MaxTries {
		found := c.look(1, c.holders)
		if failed := slices.IndexFunc(found, func(r verbs.Reply) bool { return r.Status == verbs.Failed }); failed >= 0 {
			c.Fail(found[failed])
			return
		}
		if own := slices.IndexFunc(found, func(r verbs.Reply) bool { return r.Status == verbs.Hit }); own >= 0 {
			if r := c.at(own+1).changePlace(call.holdOn, c.afterSilence()); r.Status != verbs.Missing && r.Status != verbs.Exists { // otherwise it has just ended
				c.tell(r, "STORED", "", "")
				return
			}
			continue
		}
		switch r := c.addFree(found); r.Status {
		case verbs.NotStored:
			c.Say("NOT_STORED")
			return
		case verbs.Missing, verbs.Exists: // taken, and ended too early
		default:
			c.tell(r, "STORED", "", "")
			return
		}
	}
	c.Fail(verbs.Contended(c.Shown(c.Key)))
}

// addFree takes one of the places that were found free: Stored; NotStored if others have taken all of them since; Missing or
// Exists if it was taken, but has ended already; or Failed.
func (c call) addFree(found []verbs.Reply) verbs.Reply {
	for i := range found {
		place := 1 + (c.first()-1+i)%len(found)
		if found[place-1].Status != verbs.Missing {
			continue
		}
		silent := c.afterSilence()
		at := c.at(place)
		r := c.Ask(at.add())
		if silent {
			r = at.outlast(r)
		}
		if r.Status != verbs.NotStored {
			return r
		}
	}
	return verbs.Reply{Status: verbs.NotStored}
}

// changePlaces carries out an operation on all places that the token holds: Stored if there are any; Exists if others hold
// some; Missing if nobody does; or Failed. Other places than the first are looked at only if the token does not hold that
// one by a request without holders.
func (c call) changePlaces(by func(call, verbs.Reply) verbs.Op, silent bool) verbs.Reply {
	several := false
	r := c.changePlace(func(at call, held verbs.Reply) verbs.Op {
		of, _ := parseItem(held.Data)
		several = of.holders > 0
		return by(at, held)
	}, silent)
	if r.Status == verbs.Failed || r.Status == verbs.Stored && !several {
		return r
	}
	return c.changeOthers(by, silent, r)
}

// changeOthers is changePlaces without the first place, for which the outcome is first.
func (c call) changeOthers(by func(call, verbs.Reply) verbs.Op, silent bool, first verbs.Reply) verbs.Reply {
	if len(c.Key) > longestName || lastPlace < 2 {
		return first
	}
	for i, held := range c.look(2, lastPlace) {
		if held.Status == verbs.Hit {
			held = c.at(i+2).changePlace(by, silent)
		}
		switch {
		case held.Status == verbs.Failed:
			return held
		case held.Status == verbs.Stored, held.Status == verbs.Exists && first.Status == verbs.Missing:
			first = held
		}
	}
	return first
}

// changePlace is change, after a silence of the upstream with outlast.
func (c call) changePlace(by func(call, verbs.Reply) verbs.Op, silent bool) verbs.Reply {
	r := c.change(func(held verbs.Reply) verbs.Op { return by(c, held) })
	if silent {
		r = c.outlast(r)
	}
	return r
}

// lastPlace is the last place that may be taken. Tests have fewer, as each takes an operation.
var lastPlace = mostHolders

// Traces returns the keys of the items of a lock, see [verbs.Verb]: of all its places.
func Traces(_ *protocol.Request, key []byte, _ verbs.Env) (keys [][]byte) {
	keys = [][]byte{key}
	for place := 2; place <= lastPlace && len(key) <= longestName; place++ {
		keys = append(keys, placeKey(key, place))
	}
	return keys
}
