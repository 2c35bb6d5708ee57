//go:build linux

package verbload

import (
	"fmt"
	"strings"
)

// Tables are the tables of a load. Keys and Rows must be at least 1.
type Tables struct {
	Keys int // how many tables there are
	Rows int // how many rows each has
	Size int // bytes of a row, at least 1
}

// Key returns the name of a table.
func (t Tables) Key(i int) string { return fmt.Sprintf("table:%07d", i) }

// Field returns the field of a row, of 6 bytes.
func (t Tables) Field(i int) string { return fmt.Sprintf("f%05d", i) }

// Row returns the data of a row: its own field, over and over.
func (t Tables) Row(i int) string {
	field := t.Field(i) + " "
	return strings.Repeat(field, t.Size/len(field)+1)[:t.Size]
}

// RowKey returns the key of a row for clients that keep tables without a proxy.
func (t Tables) RowKey(key, field string) string { return key + "=" + field }

// Index returns the fields of a table, a space between.
func (t Tables) Index() string {
	return string(collections{words: t.Rows, word: t.Field}.list())
}

// at returns the numbers of the table, and of the row in it, of the i-th of all rows.
func (t Tables) at(i int) (key, row int) { return i / t.Rows, i % t.Rows }
