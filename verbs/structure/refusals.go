package structure

import (
	"fmt"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Why a call on a structure fails.

// unswappable returns the outcome of a change to an item that can't be swapped.
func unswappable(key []byte) verbs.Reply {
	return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR %s can't be rewritten: its upstream keeps no CAS, or it is about to expire", key)}
}

// Refused is the outcome of an append of so many bytes to the head under key that memcached has
// refused again and again, though the head was settled in between: it is too long, or memcached has
// no memory.
func (e *Engine) Refused(key []byte, bytes int) verbs.Reply {
	r := e.Ask(verbs.Op{Kind: verbs.Probe, Key: key})
	if r.Status != verbs.Hit || r.Size+bytes > e.HeadLimit(key)/2 {
		return e.NoRoom(key, bytes)
	}
	return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR memcached refuses to append %d bytes to the item of %s, which has %d: it seems to be out of memory; try again, or give it more memory", bytes, e.Shown(e.owner(key)), r.Size)}
}

// NoRoom is the outcome of a change that would make the structure under key or its head too long.
func (e *Engine) NoRoom(key []byte, bytes int) verbs.Reply {
	e.env.NoteFull(e.owner(key))
	what := e.env.Decisions().full[string(key)]
	advice, mega, most := "; remove some of it, or spread it over several keys", 1<<20, e.env.MostRoom()
	switch {
	case what.needs > 0:
		advice = fmt.Sprintf(", and none can be made, as that takes %d MB of memory, and a single request may have %d; raise --buffer-memory", what.needs/mega+1, most/mega)
	case what.lacks > 0:
		advice = fmt.Sprintf(", as whoever removes something reads all of it, for which a longer one could take %d MB of memory, and a single request may have %d; remove some of it, or raise --buffer-memory", what.lacks/mega+1, most/mega)
	}
	return verbs.Reply{Err: fmt.Sprintf("SERVER_ERROR %s is full: there is no room for %d bytes%s", e.Shown(e.owner(key)), bytes, advice)}
}

// NotOfKind is the outcome of reading an item that is no structure of the kind.
func NotOfKind(key []byte, kind *format.Kind) verbs.Reply {
	return verbs.Reply{Err: fmt.Sprintf("CLIENT_ERROR %s does not hold a %s", key, kind.Name)}
}

// unknownKind is the outcome of reading a structure of a kind that is not registered.
func unknownKind(key []byte, letter byte) verbs.Reply {
	return verbs.Reply{Err: fmt.Sprintf("CLIENT_ERROR %s holds a structure of the kind %q, which this version of memverbs does not know", key, letter)}
}
