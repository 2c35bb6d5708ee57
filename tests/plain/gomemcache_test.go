package plain

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/harness"
)

// A client library must not be able to tell memverbs from a memcached: all
// that gomemcache can do is done to both, and must come out alike.
func TestGomemcacheSeesOneMemcached(t *testing.T) {
	t.Parallel()
	version := harness.Versions[len(harness.Versions)-1]
	want := tour(t, gomemcache(harness.StartMemcached(t, version).Addr))
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) { compareTours(t, want, tour(t, gomemcache(s.Addr))) })
}

func gomemcache(addr string) *memcache.Client {
	client := memcache.New(addr)
	client.Timeout = harness.Patience
	return client
}

func compareTours(t *testing.T, want, got []string) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("through memverbs\n\t%s\nfrom memcached\n\t%s", got[i], want[i])
		}
	}
}

// tour makes every call that gomemcache's client has, in all the ways in which
// one can end, and returns what came of each.
func tour(t *testing.T, client *memcache.Client) []string {
	t.Helper()
	defer client.Close()

	var results []string
	called := map[string]bool{}
	note := func(method string, result ...any) {
		called[method] = true
		results = append(results, strings.TrimSpace(method+" "+fmt.Sprintln(result...)))
	}
	get := func(key string) *memcache.Item {
		item, err := client.Get(key)
		note("Get", key, show(item), err)
		return item
	}
	store := func(method string, call func(*memcache.Item) error, key, value string, flags uint32) {
		note(method, key, call(&memcache.Item{Key: key, Value: []byte(value), Flags: flags}))
		get(key)
	}

	note("Ping", client.Ping())
	for _, key := range keys {
		store("Replace", client.Replace, key, "too early", 1)
		store("Append", client.Append, key, "too early", 1)
		store("Prepend", client.Prepend, key, "too early", 1)
		store("Set", client.Set, key, "value of "+key, 2)
		store("Add", client.Add, key, "too late", 3)
		store("Replace", client.Replace, key, "", 4294967295)
		store("Append", client.Append, key, "\r\nEND\r\n\x00", 5)
		store("Prepend", client.Prepend, key, "+", 6)
	}
	store("Set", client.Set, "a b", "the key is malformed", 0)
	store("Set", client.Set, "large", strings.Repeat("x", 1_000_000), 0)
	store("Set", client.Set, "too large", strings.Repeat("x", 2_000_000), 0)
	store("Set", client.Set, "too-large", strings.Repeat("x", 2_000_000), 0)

	items, err := client.GetMulti(append(keys, "nobody", "large"))
	for _, key := range slices.Sorted(maps.Keys(items)) {
		note("GetMulti", show(items[key]))
	}
	note("GetMulti", len(items), err)

	for _, key := range keys {
		first, second := get(key), get(key)
		first.Value = []byte("swapped")
		note("CompareAndSwap", client.CompareAndSwap(first))
		note("CompareAndSwap", client.CompareAndSwap(second))
		get(key)
		note("Delete", key, client.Delete(key))
		note("Delete", key, client.Delete(key))
		note("CompareAndSwap", client.CompareAndSwap(first))

		note("Touch", key, client.Touch(key, 100))
		item, err := client.GetAndTouch(key, 100)
		note("GetAndTouch", key, show(item), err)
		store("Add", client.Add, key, "17", 7)
		note("Touch", key, client.Touch(key, 100))
		item, err = client.GetAndTouch(key, -1)
		note("GetAndTouch", key, show(item), err)
		get(key)
	}

	for _, key := range keys {
		n, err := client.Increment(key, 1)
		note("Increment", key, n, err)
		store("Set", client.Set, key, "18446744073709551610", 0)
		n, err = client.Increment(key, 10)
		note("Increment", key, n, err)
		n, err = client.Decrement(key, 3)
		note("Decrement", key, n, err)
		n, err = client.Decrement(key, 3)
		note("Decrement", key, n, err)
		get(key)
		store("Set", client.Set, key, "no number", 0)
		n, err = client.Decrement(key, 3)
		note("Decrement", key, n, err)
	}

	note("FlushAll", client.FlushAll())
	get(keys[0])
	store("Set", client.Set, keys[1], "x", 0)
	note("DeleteAll", client.DeleteAll())
	get(keys[1])
	note("Close", client.Close())
	get(keys[2])

	for method := range reflect.TypeFor[*memcache.Client]().Methods() {
		if !called[method.Name] {
			t.Errorf("the tour leaves out %s", method.Name)
		}
	}
	return results
}

// keys are enough for both upstreams to get some.
var keys = []string{"a", "b", "c", "d", "e", "f", "g", strings.Repeat("k", 250)}

// show writes out an item without its CAS number, which is the server's own.
func show(item *memcache.Item) string {
	if item == nil {
		return "no item"
	}
	value := string(item.Value)
	if len(value) > 100 {
		value = fmt.Sprintf("%s… (%d bytes)", value[:100], len(value))
	}
	return fmt.Sprintf("%s: %q, flags %d", item.Key, value, item.Flags)
}
