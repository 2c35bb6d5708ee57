//go:build linux

package verbload

import (
	"fmt"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// fillItems empties the memcacheds behind memverbs and sets n items.
func fillItems(t load.Target, n int, item func(i int) (key string, value []byte)) error {
	if err := Flush(t); err != nil {
		return err
	}
	return setItems(t, n, item)
}

// setItems sets n items through any proxy, whose memcacheds need not be empty.
func setItems(t load.Target, n int, item func(i int) (key string, value []byte)) error {
	return load.Fill(t, n, func(i int, b *load.Batch) {
		key, value := item(i)
		b.Send(fmt.Appendf(nil, "set %s 0 0 %d\r\n%s\r\n", key, len(value), value))
		b.ExpectLast(stored)
	})
}
