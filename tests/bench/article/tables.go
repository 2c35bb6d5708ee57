package article

import (
	"fmt"
	"strings"

	"github.com/bradfitz/gomemcache/memcache"
)

// Tables is tables by a client of [Connect]'s. An item is a row, and another one, under
// the key of the table, is the index: "a b c".
type Tables struct {
	Client *memcache.Client
	RowKey func(key, field string) string // the key of a row
}

// Set sets a row whose field is in the index already.
func (t Tables) Set(key, field string, row []byte) error {
	if err := t.Client.Set(&memcache.Item{Key: t.RowKey(key, field), Value: row}); err != nil {
		return fmt.Errorf("setting %s of %q: %w", field, key, err)
	}
	return nil
}

// Get returns a row, or gomemcache's ErrCacheMiss.
func (t Tables) Get(key, field string) ([]byte, error) {
	item, err := t.Client.Get(t.RowKey(key, field))
	if err != nil {
		return nil, fmt.Errorf("getting %s of %q: %w", field, key, err)
	}
	return item.Value, nil
}

// All returns the rows there are by their fields, or gomemcache's ErrCacheMiss if there is
// no table.
func (t Tables) All(key string) (map[string][]byte, error) {
	index, err := t.Client.Get(key)
	if err != nil {
		return nil, fmt.Errorf("getting %q: %w", key, err)
	}
	fields := strings.Fields(string(index.Value))
	keys := make([]string, len(fields))
	for i, field := range fields {
		keys[i] = t.RowKey(key, field)
	}
	items, err := t.Client.GetMulti(keys)
	if err != nil {
		return nil, fmt.Errorf("getting the rows of %q: %w", key, err)
	}
	rows := make(map[string][]byte, len(items))
	for i, field := range fields {
		if item := items[keys[i]]; item != nil {
			rows[field] = item.Value
		}
	}
	return rows, nil
}
