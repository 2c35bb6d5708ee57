package tables

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// maxField is the length of the longest field, in bytes. With the generation, it leaves 32
// bytes of a row's key for the beginning of the table's key.
const maxField = 200

// appendIndexKey appends the key of the index of a generation of a table.
func appendIndexKey(dst, table []byte, generation string) []byte {
	return append(verbs.AppendPartPrefix(dst, table), generation...)
}

// appendRowKey appends the key of a row. No two rows have the same key. Keys of different
// generations differ in the generation. In one generation, the text before the field is either the
// same in both keys, and then the fields differ; or it was truncated to different lengths, and then
// the equal sign after the generation, which no generation contains, is at different places.
func appendRowKey(dst, table []byte, generation string, field []byte) []byte {
	return verbs.AppendLongPartKey(dst, table, []byte(generation), []byte("="), field)
}

// IsItem reports whether name, which follows a table's key and a colon, has the form of the name of one of its items:
// the index, what belongs to that as to any set, or a row.
func IsItem(name []byte) bool {
	rest, ok := verbs.CutID(name)
	switch {
	case !ok:
		return false
	case len(rest) == 0:
		return true
	case rest[0] == ':':
		return format.IsPartName(rest[1:]) || structure.IsLease(rest[1:])
	}
	return rest[0] == '=' && len(rest) > 1 && len(rest) <= 1+maxField
}
