package config

import (
	"github.com/memverbs/memverbs/protocol"
)

// OnDown is what clients of a pool get for the keys of an upstream that is down.
type OnDown uint8

const (
	// Refuse refuses all requests.
	Refuse OnDown = iota
	// Miss answers gets as if the keys were missing, and refuses changes and verbs.
	Miss
	// Spare sends get, set, add and delete to another pool meanwhile, in which nothing
	// lives longer than SpareTTL, and refuses everything else. Verbs never go elsewhere:
	// when the upstream is back there would be two structures under one key, and members
	// would be lost or come back.
	Spare
)

// Misses reports whether the reply to command may be a miss because the upstream is down.
func (d OnDown) Misses(command protocol.Command) bool {
	return d == Miss && (command.Retrieval() || command == protocol.MetaGet)
}

// Sparable reports whether command is sent to a spare pool.
func Sparable(command protocol.Command) bool {
	switch command {
	case protocol.Get, protocol.Set, protocol.Add, protocol.Delete:
		return true
	}
	return false
}
