package verbkeys

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// carrier returns the command that verbs carried by req have in [verbs.Carry.By]; Unknown if req
// can carry none.
func carrier(req *protocol.Request) protocol.Command {
	switch c := req.Command; c {
	case protocol.Get, protocol.Gets:
		return protocol.Get
	case protocol.Set, protocol.Add, protocol.Delete, protocol.Touch, protocol.Incr, protocol.Decr:
		return c
	case protocol.MetaGet:
		if req.HasFlag('T') {
			return protocol.Touch
		}
		return protocol.Get
	case protocol.MetaSet:
		switch req.Mode {
		case 0, 'S':
			return protocol.Set
		case 'E':
			return protocol.Add
		}
	case protocol.MetaDelete:
		return protocol.Delete
	case protocol.MetaArithmetic:
		if req.Mode == 'D' || req.Mode == '-' {
			return protocol.Decr
		}
		return protocol.Incr
	}
	return protocol.Unknown
}

// reads reports whether a retrieval can carry verbs: gat and gats can't.
func reads(retrieval protocol.Command) bool {
	return retrieval == protocol.Get || retrieval == protocol.Gets
}

// metaFlags returns the flags that a meta command may have if it carries a verb. Changes have no
// CAS and flags to return; c and f are allowed because replies to the binary protocol are made from
// them.
func metaFlags(req *protocol.Request) string {
	switch {
	case req.Command == protocol.MetaSet:
		return "bcFkMOqsT"
	case req.Command == protocol.MetaDelete:
		return "bkOq"
	case req.Command == protocol.MetaArithmetic:
		return "bcDJkMNOqv"
	case carrier(req) == protocol.Touch:
		return "bcfkOqT"
	}
	return "bcfkOqstv"
}

// carries reports whether a verb can be carried by a command.
func carries(carry *verbs.Carry, by protocol.Command) bool {
	return carry.By == by || carry.Down && by == protocol.Decr || carry.Asks != "" && by == protocol.Get
}

// verbNamed returns the verb of that name, nil if there is none or it can't be carried.
func verbNamed(name []byte) *verbs.Verb {
	if named := catalog.Known[string(name)]; named != nil && catalog.All[named.Number].Carry != nil {
		return catalog.All[named.Number]
	}
	return nil
}
