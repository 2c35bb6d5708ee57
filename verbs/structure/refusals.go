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

// NotOfKind is the outcome of reading an item that is no structure of the kind.
func NotOfKind(key []byte, kind *format.Kind) verbs.Reply {
	return verbs.Reply{Err: fmt.Sprintf("CLIENT_ERROR %s does not hold a %s", key, kind.Name)}
}

// unknownKind is the outcome of reading a structure of a kind that is not registered.
func unknownKind(key []byte, letter byte) verbs.Reply {
	return verbs.Reply{Err: fmt.Sprintf("CLIENT_ERROR %s holds a structure of the kind %q, which this version of memverbs does not know", key, letter)}
}
