package moving

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
)

// KindOf returns the kind of a request on one key, or the error for one that is not possible while its key moves.
func KindOf(req *protocol.Request) (k Kind, refusal string) {
	if req.Command.Meta() {
		return kindOfMeta(req)
	}
	switch req.Command {
	case protocol.Gets:
		return Gets, ""
	case protocol.Set:
		return Set, ""
	case protocol.Delete:
		return Remove, ""
	case protocol.Add:
		return Add, ""
	case protocol.Replace, protocol.Append, protocol.Prepend:
		return Rewrite, ""
	case protocol.Cas, protocol.Incr, protocol.Decr, protocol.Touch, protocol.Gat, protocol.Gats:
		return Change, ""
	}
	return Get, ""
}

func kindOfMeta(req *protocol.Request) (k Kind, refusal string) {
	for _, flag := range flagsRefused(req.Command) {
		if req.HasFlag(byte(flag)) {
			return 0, fmt.Sprintf("SERVER_ERROR %s with the flag %c is not possible while the key moves to another server; try again later", req.Name(), flag)
		}
	}
	switch req.Command {
	case protocol.MetaSet:
		return kindOfMetaSet(req), ""
	case protocol.MetaDelete:
		if !req.HasFlag('C') {
			return Remove, ""
		}
		return Change, ""
	case protocol.MetaArithmetic:
		if req.HasFlag('N') {
			return Count, ""
		}
		return Change, ""
	case protocol.MetaGet:
		if req.HasFlag('T') {
			return Change, ""
		}
		if req.HasFlag('c') {
			return Gets, ""
		}
	}
	return Get, ""
}

// flagsRefused returns the flags of a meta command that need what two servers can't do together: a CAS that the client chooses,
// which might be a token; leases, which are what placeholders are; items marked as stale; and deletions that leave an item.
func flagsRefused(c protocol.Command) string {
	switch c {
	case protocol.MetaGet:
		return "ENR"
	case protocol.MetaDelete:
		return "EITx"
	case protocol.MetaSet:
		return "EIN"
	}
	return "E"
}

// kindOfMetaSet returns the kind of a ms by its mode. One with a CAS changes what is there, unless it adds.
func kindOfMetaSet(req *protocol.Request) Kind {
	switch {
	case req.Mode == 'E', req.Mode == 'e':
		return Add
	case req.HasFlag('C'):
		return Change
	case req.Mode == 0, req.Mode == 'S', req.Mode == 's':
		return Set
	}
	return Rewrite
}
