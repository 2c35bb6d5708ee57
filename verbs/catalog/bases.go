package catalog

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/eventlogs"
	"github.com/memverbs/memverbs/verbs/limits"
	"github.com/memverbs/memverbs/verbs/locks"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/tables"
	"github.com/memverbs/memverbs/verbs/tasks"
)

// The items of structures, event logs, locks and limits are on the upstream that owns the key of the structure, not their
// own key. The form of an item's key shows the structure's key, its base, but not always for certain: an application may
// have keys of the same form.

// Bases returns the keys of all structures, event logs, locks and limits that could have an item under key, judging by the
// form of key, the shortest first. They are slices of key. There is rarely more than one, and for nearly all keys of
// plain items none. If sure is false, a key of a plain item may look the same: then the item is a part only if one of the
// bases has a head, see [IsHead]. If the structure's key is so long that it was cut, it is sure that the item is a part,
// but the base is only the beginning of that key.
func Bases(key []byte) (bases [][]byte, sure bool) {
	for i, c := range key {
		if c != ':' || i == 0 {
			continue
		}
		switch name := key[i+1:]; {
		case isCertain(name):
			sure = true
		case isPossible(name):
			sure = sure || verbs.IsCut(key, i)
		default:
			continue
		}
		bases = append(bases, key[:i])
	}
	return bases, sure
}

// isCertain reports whether name, which follows the base and a colon, has a form that no application is likely to use.
func isCertain(name []byte) bool {
	return structure.IsLease(name) || structure.IsClock(name) || eventlogs.IsItem(name) || limits.IsCounter(name)
}

// isPossible reports whether name has a form of an item that keys of applications may have too.
func isPossible(name []byte) bool {
	return format.IsPartName(name) || tables.IsItem(name) || tasks.IsContent(name) || locks.IsPlace(name)
}
