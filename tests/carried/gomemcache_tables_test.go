package carried

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"
)

const binary = "\x00\r\n\xff "

func useTable(t *testing.T, client *memcache.Client) {
	fillTable(t, client)
	countInTable(t, client)
	showTable(t, client)
	useWholeTable(t, client)
}

func fillTable(t *testing.T, client *memcache.Client) {
	for _, step := range []struct {
		store             func(*memcache.Item) error
		verb, field, data string
		flags             uint32
		exptime           int32
		want              error
	}{
		{client.Set, "hset", "name", "Alice", 7, 600, nil},
		{client.Set, "hset", "bytes", binary, 1<<32 - 1, 0, nil},
		{client.Set, "hset", "hits", "41", 0, 0, nil},
		{client.Set, "hset", "old", "gone", 0, longAgo, nil},
		{client.Add, "hadd", "name", "Bob", 0, 0, memcache.ErrNotStored},
		{client.Add, "hadd", "city", "", 8, 600, nil},
	} {
		key := "verb/" + step.verb + "/go-table/" + step.field
		item := &memcache.Item{Key: key, Value: []byte(step.data), Flags: step.flags, Expiration: step.exptime}
		if err := step.store(item); err != step.want {
			t.Errorf("%s: %v, expected %v", key, err, step.want)
		}
	}
	item, err := client.Get("verb/hget/go-table/bytes")
	if err != nil || string(item.Value) != binary || item.Flags != 1<<32-1 {
		t.Errorf("get verb/hget/go-table/bytes: %+v, %v", item, err)
	}
	expectGet(t, client, "verb/hget/go-table/city", "")
	expectGet(t, client, "verb/hget/go-table/old", "miss")
	expectGet(t, client, "verb/hexists/go-table/old", "0")
	expectGet(t, client, "verb/hexists/go-table/name", "1")
}

func countInTable(t *testing.T, client *memcache.Client) {
	for _, step := range []struct {
		count      func(string, uint64) (uint64, error)
		key        string
		delta, sum uint64
		want       error
	}{
		{client.Increment, "verb/hincr/go-table/hits", 1, 42, nil},
		{client.Decrement, "verb/hdecr/go-table/hits", 50, 0, nil},
		{client.Increment, "verb/hincr/go-table/hits", 1<<64 - 1, 1<<64 - 1, nil},
		{client.Increment, "verb/hincr/go-table/none", 1, 0, memcache.ErrCacheMiss},
	} {
		if n, err := step.count(step.key, step.delta); n != step.sum || err != step.want {
			t.Errorf("%s by %d: %d, %v, expected %d, %v", step.key, step.delta, n, err, step.sum, step.want)
		}
	}
	if _, err := client.Increment("verb/hincr/go-table/name", 1); err == nil || errors.Is(err, memcache.ErrCacheMiss) {
		t.Errorf("increment of a name: %v", err)
	}
}

func showTable(t *testing.T, client *memcache.Client) {
	for _, want := range []error{nil, memcache.ErrCacheMiss} {
		if err := client.Delete("verb/hdel/go-table/hits"); err != want {
			t.Errorf("delete verb/hdel/go-table/hits: %v, expected %v", err, want)
		}
	}
	expectGet(t, client, "verb/hkeys/go-table", "name bytes city")
	expectGet(t, client, "verb/hlen/go-table", "3")
	item, err := client.Get("verb/hgetall/go-table")
	if err != nil {
		t.Fatalf("get verb/hgetall/go-table: %v", err)
	}
	if got, want := rows(t, item.Value), []row{{"name", 7, "Alice"}, {"bytes", 1<<32 - 1, binary}, {"city", 8, ""}}; !reflect.DeepEqual(got, want) {
		t.Errorf("rows of go-table: %+v, expected %+v", got, want)
	}
}

// useWholeTable uses the key itself, which stands for the whole table.
func useWholeTable(t *testing.T, client *memcache.Client) {
	if err := client.Touch("go-table", 600); err != nil {
		t.Errorf("touch go-table: %v", err)
	}
	expectGet(t, client, "verb/hlen/go-table", "3")
	if err := client.Touch("go-table", longAgo); err != nil {
		t.Errorf("touch go-table, long ago: %v", err)
	}
	expectGet(t, client, "verb/hget/go-table/name", "miss")
	if err := set(client, "verb/hset/go-table/name", "Carol", 0); err != nil {
		t.Errorf("set verb/hset/go-table/name: %v", err)
	}
	expectGet(t, client, "verb/hkeys/go-table", "name")
	if err := client.Delete("go-table"); err != nil {
		t.Errorf("delete go-table: %v", err)
	}
	for _, verb := range []string{"hgetall/go-table", "hlen/go-table", "hexists/go-table/name"} {
		expectGet(t, client, "verb/"+verb, "miss")
	}
}

type row struct {
	field string
	flags uint32
	data  string
}

// rows takes the value of an hgetall apart: <field> <flags> <bytes>, line feed, data, line feed.
func rows(t *testing.T, value []byte) (found []row) {
	t.Helper()
	for len(value) > 0 {
		var r row
		var size int
		line, rest, _ := bytes.Cut(value, []byte{'\n'})
		if _, err := fmt.Sscan(string(line), &r.field, &r.flags, &size); err != nil || size >= len(rest) {
			t.Fatalf("%q begins no row: %v", value, err)
		}
		r.data, value = string(rest[:size]), rest[size+1:]
		found = append(found, r)
	}
	return found
}
