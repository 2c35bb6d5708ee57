package carried

import (
	"errors"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"
)

// longAgo is a date, which as an exptime means: expired already.
const longAgo = 1_000_000_000

// set returns the error of a set with an exptime.
func set(client *memcache.Client, key, value string, exptime int32) error {
	return client.Set(&memcache.Item{Key: key, Value: []byte(value), Expiration: exptime})
}

// expectGet compares the value of a get; "miss" stands for none.
func expectGet(t *testing.T, client *memcache.Client, key, want string) {
	t.Helper()
	item, err := client.Get(key)
	got := "miss"
	switch {
	case err == nil:
		got = string(item.Value)
	case !errors.Is(err, memcache.ErrCacheMiss):
		got = err.Error()
	}
	if got != want {
		t.Errorf("get %s: %q, expected %q", key, got, want)
	}
}

// What is put comes back with its flags.
func useObjects(t *testing.T, client *memcache.Client) {
	all := []memcache.Item{{Value: []byte("a b\r\n;~\x00"), Flags: 7}, {Flags: 1 << 31}, {Value: []byte("word")}}
	for _, put := range all {
		put.Key, put.Expiration = "verb/rput/go-objects", 600
		if err := client.Set(&put); err != nil {
			t.Fatalf("set %s: %v", put.Key, err)
		}
	}
	for _, want := range all {
		if got, err := client.Get("verb/lpop/go-objects"); err != nil || string(got.Value) != string(want.Value) || got.Flags != want.Flags {
			t.Errorf("get verb/lpop/go-objects: %+v, %v; expected %q with the flags %d", got, err, want.Value, want.Flags)
		}
	}
	expectGet(t, client, "verb/lpop/go-objects", "miss")
}

// The client has no noreply.
func useList(t *testing.T, client *memcache.Client) {
	for _, step := range []struct {
		key, value string
		exptime    int32
		want       error
		after      string // what lrange has then
	}{
		{"verb/rpush/go-list", "a b c", 600, nil, "a b c"},
		{"verb/lpush/go-list", "x c y", 0, nil, "y c x a b c"},
		{"verb/lrem/go-list/-1", "c", 0, nil, "y c x a b"},
		{"verb/ltrim/go-list", "1 -2", 0, nil, "c x a"},
		{"verb/rpush/go-list", "z", longAgo, nil, "c x a z"}, // the exptime is that of a list which the push creates
		{"verb/lrem/none/0", "a", 0, memcache.ErrNotStored, "c x a z"},
		{"verb/ltrim/none", "0 1", 0, memcache.ErrNotStored, "c x a z"},
		{"verb/lpush/go-old", "a", longAgo, nil, "c x a z"},
	} {
		if err := set(client, step.key, step.value, step.exptime); err != step.want {
			t.Errorf("set %s %q: %v, expected %v", step.key, step.value, err, step.want)
		}
		expectGet(t, client, "verb/lrange/go-list", step.after)
	}
	for _, step := range [][2]string{
		{"verb/lrange/go-list/1/-2", "x a"},
		{"verb/llen/go-list", "4"},
		{"verb/lpop/go-list", "c"},
		{"verb/rpop/go-list/5", "z a x"},
		{"verb/lpop/go-list", "miss"},
		{"verb/llen/go-list", "miss"},
		{"verb/lrange/none", "miss"},
		{"verb/lpop/none", "miss"},
		{"verb/lrange/go-old", "miss"},
	} {
		expectGet(t, client, step[0], step[1])
	}
	for _, step := range []struct {
		exptime int32
		after   string
	}{{longAgo, "miss"}, {600, "a"}, {longAgo, "a a"}} { // an emptied list is made anew
		if err := set(client, "verb/rpush/go-list", "a", step.exptime); err != nil {
			t.Errorf("set verb/rpush/go-list: %v", err)
		}
		expectGet(t, client, "verb/lrange/go-list", step.after)
	}
	if err := client.Touch("go-list", 600); err != nil {
		t.Errorf("touch go-list: %v", err)
	}
	if err := client.Delete("go-list"); err != nil {
		t.Errorf("delete go-list: %v", err)
	}
	expectGet(t, client, "verb/llen/go-list", "miss")
}
