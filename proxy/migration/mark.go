package migration

import (
	"fmt"
	"hash/fnv"
	"time"

	"github.com/memverbs/memverbs/proxy/placement"
)

// Each server has two items of a migration. The mark says which migration it is; it is made by add before any item is moved, so its
// CAS is between those of the items that the server had before and of those that come by the migration. Its time to live says how
// old it is. The other item says how far the migration has come as far as the server is concerned.

const (
	markKey  = "memverbs:move:"
	stateKey = "memverbs:moved:"
	// markLives is how long a mark lives, in seconds: longer than a migration takes.
	markLives = 6 * 60 * 60
)

// textOf returns the text of the mark of a migration.
func textOf(from, to placement.List) string { return placement.Record{to, from}.String() }

// listsIn returns the lists that a mark tells; ok is false if it is none.
func listsIn(mark []byte) (from, to placement.List, ok bool) {
	r := placement.ParseRecord(mark)
	if len(r) != 2 {
		return from, to, false
	}
	return r[1], r[0], true
}

// state is how far a migration has come, as its item at a server says.
type state uint8

const (
	begun   state = iota
	swept         // the server has no items any more that are to be on another, nor any from before the migration
	leaving       // some proxy does not wait until all servers are swept
	ended         // all servers are swept
	foreign       // of another migration
)

var stateWords = [...]string{swept: "swept", leaving: "leaving", ended: "ended"}

// stateText returns the text of the item that tells a state of the migration whose mark has a text.
func stateText(s state, mark string) string {
	h := fnv.New64a()
	h.Write([]byte(mark))
	return fmt.Sprintf("%s %016x", stateWords[s], h.Sum64())
}

// stateIn returns the state that the text of such an item tells of that migration.
func stateIn(text []byte, mark string) state {
	for s := swept; s <= ended; s++ {
		if string(text) == stateText(s, mark) {
			return s
		}
	}
	if len(text) == 0 {
		return begun
	}
	return foreign
}

// mostTime is how long a migration waits for servers that can't be swept.
const mostTime = time.Hour
