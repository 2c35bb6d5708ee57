package tables

import "github.com/memverbs/memverbs/verbs"

// maxField is the length of the longest field, in bytes. With the generation, it leaves 32
// bytes of a row's key for the beginning of the table's key.
const maxField = 200

// appendIndexKey appends the key of the index of a generation of a table.
func appendIndexKey(dst, table []byte, generation string) []byte {
	return append(verbs.AppendPartPrefix(dst, table), generation...)
}

// appendRowKey appends the key of a row. No two rows share one: generations differ, and in
// one generation all that precedes the field is either the same, or was truncated because
// the fields differ in length. Then the keys have an equal sign, which is in no generation,
// at different places.
func appendRowKey(dst, table []byte, generation string, field []byte) []byte {
	return verbs.AppendLongPartKey(dst, table, []byte(generation), []byte("="), field)
}
