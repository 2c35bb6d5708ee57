package carried

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/harness"
)

func TestGomemcache(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		client := memcache.New(s.Addr)
		client.Timeout = harness.Patience
		set := func(key, value string, flags uint32) error {
			return client.Set(&memcache.Item{Key: key, Value: []byte(value), Flags: flags, Expiration: 600})
		}
		for key, value := range map[string]string{"sadd/go": "apple pear plum", "logput/go-log": "logged in"} {
			if err := set("verb/"+key, value, 7); err != nil {
				t.Fatalf("set verb/%s: %v", key, err)
			}
		}
		if err := set("verb/srem/go", "pear", 0); err != nil {
			t.Errorf("set verb/srem/go: %v", err)
		}
		if err := set("verb/srem/none", "a", 0); !errors.Is(err, memcache.ErrNotStored) {
			t.Errorf("set verb/srem/none: %v", err)
		}
		items, err := client.GetMulti([]string{"verb/smembers/go", "verb/scard/go", "verb/sismember/go/pear", "verb/scard/none"})
		got := fmt.Sprintf("%d:", len(items))
		for _, key := range []string{"smembers/go", "scard/go", "sismember/go/pear"} {
			if item := items["verb/"+key]; item != nil {
				got += fmt.Sprintf(" %s=%s", key, item.Value)
			}
		}
		if want := "3: smembers/go=apple plum scard/go=2 sismember/go/pear=0"; err != nil || got != want {
			t.Errorf("GetMulti: %q, %v; expected %q", got, err, want)
		}
		added := func() error { return client.Add(&memcache.Item{Key: "verb/saddnew/go-seen", Value: []byte("a")}) }
		if first, again := added(), added(); first != nil || !errors.Is(again, memcache.ErrNotStored) {
			t.Errorf("add verb/saddnew/go-seen: %v, then %v", first, again)
		}
		if err := set("verb/schange/go-seen", "-a +plum", 0); err != nil {
			t.Errorf("set verb/schange/go-seen: %v", err)
		}
		if err := set("verb/saddp/go-seen/600", "kiwi", 0); err != nil {
			t.Errorf("set verb/saddp/go-seen/600: %v", err)
		}
		expectGet(t, client, "verb/smembers/go-seen", "plum kiwi")
		expectGetMulti(t, client, []string{"verb/sinter/go/go-seen", "verb/sdiff/go/go-seen"}, map[string]string{"verb/sinter/go/go-seen": "plum", "verb/sdiff/go/go-seen": "apple"})
		item, err := client.Get("verb/logfetch/go-log")
		if err != nil || !bytes.HasSuffix(item.Value, []byte(" 7 9\nlogged in\n")) {
			t.Errorf("get verb/logfetch/go-log: %+v, %v", item, err)
		}
		t.Run("lock", func(t *testing.T) { takeLock(t, client) })
		t.Run("list", func(t *testing.T) { useList(t, client) })
		t.Run("objects", func(t *testing.T) { useObjects(t, client) })
		t.Run("table", func(t *testing.T) { useTable(t, client) })
		t.Run("ranking", func(t *testing.T) { useRanking(t, client) })
		t.Run("queue", func(t *testing.T) { useQueue(t, client) })
		t.Run("waits", func(t *testing.T) { waitForMore(t, client) })
		t.Run("together", func(t *testing.T) { getTogether(t, client) })
	}, "--verb-keys", "verb/")
}

func takeLock(t *testing.T, client *memcache.Client) {
	lock := func(token string) error {
		return client.Add(&memcache.Item{Key: "verb/lock/go-lock", Value: []byte(token), Expiration: 30})
	}
	crawl := func(token string) error { // of two at the same time
		return client.Add(&memcache.Item{Key: "verb/lock/go-crawl/holders/2", Value: []byte(token), Expiration: 30})
	}
	for _, step := range []struct {
		what      string
		got, want error
	}{
		{"add verb/lock/go-lock 'alice'", lock("alice"), nil},
		{"add verb/lock/go-lock 'bob'", lock("bob"), memcache.ErrNotStored},
		{"touch verb/relock/go-lock/alice", client.Touch("verb/relock/go-lock/alice", 60), nil},
		{"touch verb/relock/go-lock/bob", client.Touch("verb/relock/go-lock/bob", 60), memcache.ErrCacheMiss},
		{"delete verb/unlock/go-lock/bob", client.Delete("verb/unlock/go-lock/bob"), memcache.ErrCacheMiss},
		{"delete verb/unlock/go-lock/alice", client.Delete("verb/unlock/go-lock/alice"), nil},
		{"add verb/lock/go-crawl/holders/2 'w1'", crawl("w1"), nil},
		{"add verb/lock/go-crawl/holders/2 'w2'", crawl("w2"), nil},
		{"add verb/lock/go-crawl/holders/2 'w3'", crawl("w3"), memcache.ErrNotStored},
		{"add verb/lock/go-crawl/holders/2 'w2' again", crawl("w2"), nil},
		{"touch verb/relock/go-crawl/w2", client.Touch("verb/relock/go-crawl/w2", 60), nil},
		{"touch verb/relock/go-crawl/w3", client.Touch("verb/relock/go-crawl/w3", 60), memcache.ErrCacheMiss},
		{"delete verb/unlock/go-crawl/w1", client.Delete("verb/unlock/go-crawl/w1"), nil},
		{"add verb/lock/go-crawl/holders/2 'w3'", crawl("w3"), nil},
	} {
		if step.got != step.want {
			t.Errorf("%s: %v, expected %v", step.what, step.got, step.want)
		}
	}
}

// A get that waits answers as soon as there is something, and misses when the time is over.
func waitForMore(t *testing.T, client *memcache.Client) {
	for _, step := range [][2]string{{"rpush/go-waits", "a b"}, {"taskput/go-waits-tasks/a/0", "Alice"}} {
		if err := set(client, "verb/"+step[0], step[1], 600); err != nil {
			t.Errorf("set verb/%s: %v", step[0], err)
		}
	}
	expectGet(t, client, "verb/lpop/go-waits/wait/60000", "a")
	expectGet(t, client, "verb/rpop/go-waits/5/wait/60000", "b")
	const take = "verb/tasktake/go-waits-tasks/30/1/wait/60000"
	if item, err := client.Get(take); err != nil || !bytes.HasSuffix(item.Value, []byte("\nAlice\n")) {
		t.Errorf("get %s: %+v, %v", take, item, err)
	}
	for _, key := range []string{"lpop/go-waits/wait/1", "rpop/go-waits/5/wait/1", "tasktake/go-waits-tasks/30/1/wait/1", "logfetch/go-none/1/wait/1"} {
		expectGet(t, client, "verb/"+key, "miss")
	}
}
