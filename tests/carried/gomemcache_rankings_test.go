package carried

import (
	"errors"
	"strings"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"
)

// The client has no noreply.
func useRanking(t *testing.T, client *memcache.Client) {
	fillRanking(t, client)
	useEnds(t, client)
	countInRanking(t, client)
	removeFromRanking(t, client)
	useWholeRanking(t, client)
}

func fillRanking(t *testing.T, client *memcache.Client) {
	for _, step := range []struct {
		verb, value string
		after       string // what zrevrange has then
	}{
		{"zadd", "5 alice -2 bob 7 carol", "carol 7 alice 5 bob -2"},
		{"zinc", "alice bob", "carol 7 alice 6 bob -1"},
		{"zdec", "carol", "carol 6 alice 6 bob -1"},
		{"zsub", "3 bob", "carol 6 alice 6 bob -4"},
	} {
		if err := set(client, "verb/"+step.verb+"/go-ranking", step.value, 600); err != nil {
			t.Errorf("set verb/%s/go-ranking %q: %v", step.verb, step.value, err)
		}
		expectGet(t, client, "verb/zrevrange/go-ranking/0/-1/withscores", step.after)
	}
	for _, step := range [][2]string{
		{"zrange/go-ranking/0/2", "bob alice"},
		{"zget/go-ranking/bob", "-4"},
		{"zget/go-ranking/dave", "null"},
		{"zrank/go-ranking/bob", "0"},
		{"zrevrank/go-ranking/bob", "2"},
		{"zrank/go-ranking/dave", "miss"},
		{"zcard/go-ranking", "3"},
		{"zrange/none/0/-1", "miss"},
		{"zget/none/alice", "miss"},
		{"zcard/none", "miss"},
	} {
		expectGet(t, client, "verb/"+step[0], step[1])
	}
}

func useEnds(t *testing.T, client *memcache.Client) {
	for _, step := range [][2]string{{"zmax", "120 alice 95 bob 110 alice 7 eve"}, {"zmin", "90 eve 80 bob"}} {
		if err := set(client, "verb/"+step[0]+"/go-best", step[1], 0); err != nil {
			t.Errorf("set verb/%s/go-best %q: %v", step[0], step[1], err)
		}
	}
	for _, step := range [][2]string{
		{"zcount/go-best/0/100", "2"},
		{"zbyscore/go-best/-/100/withscores", "eve 7 bob 80"},
		{"zrevbyscore/go-best/+/-/page/1/1", "bob"},
		{"zaround/go-best/bob/1", "eve bob alice"},
		{"zrevaround/go-best/alice/1/withscores", "alice 120 bob 80"},
		{"zaround/go-best/dave/1", "miss"},
		{"zpopmin/go-best", "eve 7"},
	} {
		expectGet(t, client, "verb/"+step[0], step[1])
	}
	if err := set(client, "verb/ztrim/go-best", "1", 0); err != nil {
		t.Errorf("set verb/ztrim/go-best 1: %v", err)
	}
	expectGet(t, client, "verb/zpopmax/go-best/count/5", "alice 120")
	expectGet(t, client, "verb/zpopmax/go-best", "miss")
	if err := client.Delete("go-best"); err != nil {
		t.Errorf("delete go-best: %v", err)
	}
}

func countInRanking(t *testing.T, client *memcache.Client) {
	for _, step := range []struct {
		count      func(string, uint64) (uint64, error)
		key        string
		delta, sum uint64
	}{
		{client.Increment, "verb/zincrby/go-ranking/alice", 1, 7},
		{client.Decrement, "verb/zincrby/go-ranking/alice", 2, 5},
		{client.Increment, "verb/zincrby/go-ranking/dave", 4, 4},
		{client.Increment, "verb/zincrbyp/go-ranking/dave/3600", 10, 14},
		{client.Decrement, "verb/zincrbyp/go-ranking/dave/3600", 1, 13},
	} {
		if n, err := step.count(step.key, step.delta); n != step.sum || err != nil {
			t.Errorf("%s by %d: %d, %v, expected %d", step.key, step.delta, n, err, step.sum)
		}
	}
	// Below 0 it counts, but the client can't be told the score.
	if _, err := client.Decrement("verb/zincrby/go-ranking/bob", 1); err == nil || !strings.Contains(err.Error(), "-5") {
		t.Errorf("decrement below 0: %v", err)
	}
	expectGet(t, client, "verb/zget/go-ranking/bob", "-5")
}

func removeFromRanking(t *testing.T, client *memcache.Client) {
	for range 2 { // the second time, bob is not there
		if err := client.Delete("verb/zrem/go-ranking/bob"); err != nil {
			t.Errorf("delete verb/zrem/go-ranking/bob: %v", err)
		}
	}
	if err := client.Delete("verb/zrem/none/bob"); !errors.Is(err, memcache.ErrCacheMiss) {
		t.Errorf("delete verb/zrem/none/bob: %v", err)
	}
	expectGet(t, client, "verb/zrange/go-ranking/0/-1/withscores", "alice 5 carol 6 dave 13")
}

func useWholeRanking(t *testing.T, client *memcache.Client) {
	// The exptime is that of a ranking which the change creates, not of one that is there.
	for _, step := range [][2]string{{"verb/zadd/go-ranking", "1 alice"}, {"verb/zinc/go-old-ranking", "alice"}} {
		if err := set(client, step[0], step[1], longAgo); err != nil {
			t.Errorf("set %s: %v", step[0], err)
		}
	}
	expectGet(t, client, "verb/zget/go-ranking/alice", "1")
	expectGet(t, client, "verb/zcard/go-old-ranking", "miss")
	if err := client.Touch("go-ranking", 600); err != nil {
		t.Errorf("touch go-ranking: %v", err)
	}
	if err := client.Delete("go-ranking"); err != nil {
		t.Errorf("delete go-ranking: %v", err)
	}
	expectGet(t, client, "verb/zcard/go-ranking", "miss")
}
