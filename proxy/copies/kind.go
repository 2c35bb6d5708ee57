package copies

import "github.com/memverbs/memverbs/protocol"

// Kind is what a request does to the copies of its key.
type Kind uint8

const (
	First      Kind = iota // it asks the first configured copy
	Reads                  // it asks one copy after another
	Everywhere             // it changes all copies
	Alone                  // it changes the first configured copy, and the others are deleted
)

// KindOf returns what a request of memcached's own does.
func KindOf(req *protocol.Request) Kind {
	switch req.Command {
	case protocol.Get, protocol.Gets:
		return Reads
	case protocol.Set, protocol.Delete, protocol.Touch:
		return Everywhere
	case protocol.MetaGet:
		return kindOfMetaGet(req)
	case protocol.MetaSet:
		if (req.Mode == 0 || req.Mode == 'S' || req.Mode == 's') && !hasAny(req, "CEI") {
			return Everywhere
		}
	case protocol.MetaDelete:
		if !hasAny(req, "CEITx") {
			return Everywhere
		}
	}
	if req.Changes() {
		return Alone
	}
	return First
}

// kindOfMetaGet is KindOf for mg. What one server alone knows of an item, such as its CAS, comes from the first copy.
func kindOfMetaGet(req *protocol.Request) Kind {
	switch {
	case req.Changes():
		return Alone
	case hasAny(req, "chl"):
		return First
	}
	return Reads
}

// hasAny reports whether a meta command has one of some flags.
func hasAny(req *protocol.Request, flags string) bool {
	for _, flag := range []byte(flags) {
		if req.HasFlag(flag) {
			return true
		}
	}
	return false
}
