package carried

import (
	"reflect"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"
)

// getTogether gets plain keys, a set, a list, a table and a ranking by one command.
func getTogether(t *testing.T, client *memcache.Client) {
	for _, step := range [][2]string{
		{"go-plain", "as it is"}, {"verb/sadd/go-set", "m"}, {"verb/rpush/go-queue", "a b c"},
		{"verb/hset/go-user/name", "Alice"}, {"verb/hset/go-user/age", "30"}, {"verb/zadd/go-points", "7 bob 9 alice"},
	} {
		if err := set(client, step[0], step[1], 0); err != nil {
			t.Fatalf("set %s: %v", step[0], err)
		}
	}
	want := map[string]string{
		"go-plain": "as it is", "verb/lrange/go-queue/0/1": "a b", "verb/llen/go-queue": "3", "verb/hget/go-user/age": "30",
		"verb/hkeys/go-user": "name age", "verb/hexists/go-user/name": "1", "verb/scard/go-set": "1",
		"verb/hgetall/go-user": "name 0 5\nAlice\nage 0 2\n30\n", "verb/zrevrange/go-points/0/1/withscores": "alice 9",
		"verb/zget/go-points/bob": "7", "verb/zcard/go-points": "2",
	}
	keys := []string{"none", "verb/hget/go-user/none", "verb/lrange/none", "verb/hlen/none", "verb/zrank/go-points/none"}
	for key := range want {
		keys = append(keys, key)
	}
	expectGetMulti(t, client, keys, want)
	expectGetMulti(t, client, []string{"verb/lpop/go-queue", "go-plain"}, map[string]string{"verb/lpop/go-queue": "a", "go-plain": "as it is"})
	expectGetMulti(t, client, []string{"verb/lrange/go-queue", "none"}, map[string]string{"verb/lrange/go-queue": "b c"})
}

func expectGetMulti(t *testing.T, client *memcache.Client, keys []string, want map[string]string) {
	t.Helper()
	items, err := client.GetMulti(keys)
	got := map[string]string{}
	for key, item := range items {
		got[key] = string(item.Value)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("get of %q: %q, %v, expected %q", keys, got, err, want)
	}
}
