package catalog

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/limits"
	"github.com/memverbs/memverbs/verbs/structure"
)

// The items of structures and event logs are on the upstream that owns the key of the structure or
// log, not their own key. The form of an item's key shows the structure's key, but not for certain:
// an application may have keys of the same form.

const (
	mostParts = 256 // of a structure
	mostItems = 64  // of a chunk of an event log
)

// AppendOwners appends to dst the keys of all structures, event logs and limits that could have an item under key,
// judging by the form of key. They are slices of key. There is rarely more than one, and for nearly all keys
// of other items none. It does not recognize an item whose key contains only the beginning of the structure's
// key because that is very long.
func AppendOwners(dst [][]byte, key []byte) [][]byte {
	for i, c := range key {
		if c == ':' && i > 0 && isItemName(key[i+1:]) {
			dst = append(dst, key[:i])
		}
	}
	return dst
}

// isItemName reports whether name, which follows the colon after a structure's or log's key,
// has the form of the name of one of its items.
func isItemName(name []byte) bool {
	if rest, ok := cutID(name); ok {
		field, row := bytes.CutPrefix(rest, []byte{'='})
		index, ofIndex := bytes.CutPrefix(rest, []byte{':'})
		return len(rest) == 0 || // of a table's index, or the content of a task
			row && len(field) > 0 ||
			ofIndex && (isSegmentName(index) || structure.IsLease(index)) ||
			isSegmentName(name)
	}
	return structure.IsLease(name) || structure.IsClock(name) || isChunkName(name) || limits.IsCounter(name)
}

// isSegmentName reports whether name has the form <id>.<number>, of a part of a segment.
func isSegmentName(name []byte) bool {
	rest, ok := cutID(name)
	number, dot := bytes.CutPrefix(rest, []byte{'.'})
	return ok && dot && isNumber(number, mostParts)
}

// isChunkName reports whether name has the form <chunk>+<number>, of an event log's item.
func isChunkName(name []byte) bool {
	chunk, number, plus := bytes.Cut(name, []byte{'+'})
	return plus && isNumber(chunk, 1<<62) && isNumber(number, mostItems+1)
}

// cutID cuts an [verbs.ID] off the beginning of text.
func cutID(text []byte) (rest []byte, ok bool) {
	if len(text) < verbs.IDSize || !verbs.IsID(text[:verbs.IDSize]) {
		return nil, false
	}
	return text[verbs.IDSize:], true
}

// isNumber reports whether text is a number below limit as memverbs writes it.
func isNumber(text []byte, limit uint64) bool {
	n, ok := protocol.ParseUint(text)
	return ok && n < limit && (text[0] != '0' || len(text) == 1)
}
