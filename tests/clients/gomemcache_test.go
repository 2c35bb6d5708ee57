package clients

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/harness"
)

// The calls of gomemcache are compared with those to a memcached in the tests
// one folder up; here is what the scripts of the other clients do last. With
// one of two memcacheds frozen, its keys get the proxy's SERVER_ERROR, and the
// others are served.
func TestGomemcacheWhileAnUpstreamIsFrozen(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := harness.StartStore(t, "memcached-"+version, "--timeout", "2s")
			client := memcache.New(s.Addr)
			client.Timeout = harness.Patience
			defer client.Close()
			keys := setMany(t, client)

			s.Memcacheds[0].Freeze(t)
			refused := 0
			for _, key := range keys {
				item, err := client.Get(key)
				added := client.Add(&memcache.Item{Key: key, Value: []byte("x")})
				switch {
				case err != nil && saysUpstream(err) && saysUpstream(added):
					refused++
				case err != nil || string(item.Value) != key || !errors.Is(added, memcache.ErrNotStored):
					t.Errorf("%s: Get gave %v, %v, Add %v", key, item, err, added)
				}
			}
			if refused == 0 || refused == len(keys) {
				t.Errorf("%d of %d keys were refused", refused, len(keys))
			}
			if items, err := client.GetMulti(keys); !saysUpstream(err) {
				t.Errorf("GetMulti gave %d items, %v", len(items), err)
			}

			s.Memcacheds[0].Thaw(t)
			awaitUp(t, s.Addr)
			if items, err := client.GetMulti(keys); err != nil || len(items) != len(keys) {
				t.Errorf("after that GetMulti gave %d items of %d, %v", len(items), len(keys), err)
			}
		})
	}
}

// setMany stores items enough for every memcached to get some, each with its
// key for a value, and returns the keys.
func setMany(t *testing.T, client *memcache.Client) []string {
	t.Helper()
	var keys []string
	for i := range 40 {
		key := fmt.Sprintf("many%d", i)
		if err := client.Set(&memcache.Item{Key: key, Value: []byte(key)}); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	return keys
}

func saysUpstream(err error) bool {
	return err != nil && strings.Contains(err.Error(), "SERVER_ERROR upstream ")
}
