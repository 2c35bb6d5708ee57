package namespace

import "github.com/memverbs/memverbs/protocol"

// Order says when a command asks for the generation of its namespace, in the same batch on the same connection. See the
// documentation of the package for the reasons.
type Order uint8

const (
	// After is the order of reads: the value, then the generation.
	After Order = iota
	// Before is the order of changes whose answer tells nothing of what was there.
	Before
	// Around is the order of changes whose answer does.
	Around
)

// AsksBefore reports whether the command asks before it is carried out.
func (o Order) AsksBefore() bool { return o != After }

// AsksAfter reports whether the command asks after it was carried out.
func (o Order) AsksAfter() bool { return o != Before }

// OrderOf returns the order of a request on one key or several.
func OrderOf(req *protocol.Request) Order {
	switch req.Command {
	case protocol.Get, protocol.Gets, protocol.MetaDebug:
		return After
	case protocol.Set:
		return Before
	case protocol.MetaGet:
		if !req.Changes() {
			return After
		}
	case protocol.MetaSet:
		if (req.Mode == 0 || req.Mode == 'S' || req.Mode == 's') && !req.HasFlag('C') {
			return Before
		}
	}
	return Around
}

// Undone reports whether a reply tells that a change was not carried out. line is its first line.
func Undone(line []byte) bool {
	switch word, _ := protocol.NextWord(line); string(word) {
	case "NOT_STORED", "EXISTS", "NOT_FOUND", "NS", "EX", "NF", "EN", "END", "CLIENT_ERROR", "ERROR":
		return true
	}
	return false
}
