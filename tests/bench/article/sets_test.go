package article_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/article"
	"github.com/memverbs/memverbs/tests/harness"
)

// over runs test over each memcached, with a client of sets and one of items.
func over(t *testing.T, test func(t *testing.T, addr string, sets article.Sets, items *memcache.Client)) {
	for _, version := range harness.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			addr := harness.StartMemcached(t, version).Addr
			items := memcache.New(addr)
			t.Cleanup(func() { items.Close() })
			test(t, addr, newSets(t, addr), items)
		})
	}
}

func newSets(t *testing.T, addr string) article.Sets {
	return article.Sets{Client: connect(t, addr)}
}

func connect(t *testing.T, addr string) *memcache.Client {
	client := article.Connect(addr)
	t.Cleanup(func() { client.Close() })
	return client
}

func TestSets(t *testing.T) {
	over(t, func(t *testing.T, _ string, sets article.Sets, _ *memcache.Client) {
		if _, err := sets.Members("fruits"); !errors.Is(err, memcache.ErrCacheMiss) {
			t.Errorf("members of no set: %v", err)
		}
		if err := sets.Remove("fruits", "plum"); err != nil {
			t.Errorf("removing from no set: %v", err)
		}
		must(t, sets.Add("fruits", "apple", "pear"))
		must(t, sets.Add("fruits", "plum", "apple"))
		must(t, sets.Remove("fruits", "pear", "cherry"))
		expect(t, sets, "fruits", "apple", "plum")
		for member, want := range map[string]bool{"apple": true, "pear": false} {
			if has, err := sets.Has("fruits", member); has != want || err != nil {
				t.Errorf("has %s: %v, %v", member, has, err)
			}
		}
		if n, err := sets.Count("fruits"); n != 2 || err != nil {
			t.Errorf("count: %d, %v", n, err)
		}
	})
}

func TestNotASet(t *testing.T) {
	over(t, func(t *testing.T, _ string, sets article.Sets, items *memcache.Client) {
		must(t, items.Set(&memcache.Item{Key: "k", Value: []byte("hello world")}))
		if _, err := sets.Members("k"); err == nil || !strings.Contains(err.Error(), `"hello"`) {
			t.Errorf("taken for a set, or the message says not what it is: %v", err)
		}
	})
}

// A reader compacts what is more garbage than members.
func TestReadersCompact(t *testing.T) {
	over(t, func(t *testing.T, _ string, sets article.Sets, items *memcache.Client) {
		must(t, items.Set(&memcache.Item{Key: "some", Value: []byte("+a +b +a +b ")}))
		must(t, items.Set(&memcache.Item{Key: "much", Value: []byte("+a +b +a +c -c ")}))
		expect(t, sets, "some", "a", "b")
		expect(t, sets, "much", "a", "b")
		expect(t, sets, "much", "a", "b")
		if got := stored(t, items, "some"); got != "+a +b +a +b " {
			t.Errorf("with some garbage: %q", got)
		}
		if got := stored(t, items, "much"); got != "+a +b " && got != "+b +a " {
			t.Errorf("with much garbage: %q", got)
		}
	})
}

// A write makes room in an item that memcached does not let grow.
func TestFull(t *testing.T) {
	over(t, func(t *testing.T, _ string, sets article.Sets, items *memcache.Client) {
		fill(t, items, "added", func(int) string { return "+a " })
		must(t, sets.Add("added", "b"))
		expect(t, sets, "added", "a", "b")
		fill(t, items, "removed", func(n int) string { return []string{"+a ", "+b "}[n%2] })
		must(t, sets.Remove("removed", "b"))
		expect(t, sets, "removed", "a")
	})
}

// Members that are all different can't be compacted.
func TestFullForGood(t *testing.T) {
	over(t, func(t *testing.T, _ string, sets article.Sets, items *memcache.Client) {
		fill(t, items, "k", func(n int) string { return fmt.Sprintf("+%0100d ", n) })
		if err := sets.Add("k", strings.Repeat("x", 100)); err == nil {
			t.Error("added")
		}
	})
}

// What several clients do at the same time to one set is all done, whatever is
// compacted meanwhile.
func TestTogether(t *testing.T) {
	over(t, func(t *testing.T, addr string, sets article.Sets, _ *memcache.Client) {
		const clients, members = 8, 1000
		errs := make([]error, clients)
		var all sync.WaitGroup
		for client := range clients {
			own := newSets(t, addr)
			all.Go(func() {
				for n := range members {
					m := fmt.Sprintf("%d-%d", client, n)
					errs[client] = errors.Join(errs[client], own.Add("k", m, "everybody"))
					if n%2 == 1 {
						errs[client] = errors.Join(errs[client], own.Remove("k", m))
					}
				}
			})
		}
		all.Wait()
		must(t, errors.Join(errs...))
		want := []string{"everybody"}
		for client := range clients {
			for n := 0; n < members; n += 2 {
				want = append(want, fmt.Sprintf("%d-%d", client, n))
			}
		}
		expect(t, sets, "k", want...)
	})
}

// fill makes an item of as many tokens as memcached takes.
func fill(t *testing.T, items *memcache.Client, key string, token func(n int) string) {
	t.Helper()
	const nearly = 1<<20 - 200
	var log []byte
	n := 0
	for ; len(log) < nearly; n++ {
		log = append(log, token(n)...)
	}
	must(t, items.Set(&memcache.Item{Key: key, Value: log}))
	var err error
	for ; err == nil; n++ {
		err = items.Append(&memcache.Item{Key: key, Value: []byte(token(n))})
	}
	if !errors.Is(err, memcache.ErrNotStored) {
		t.Fatal(err)
	}
}

func stored(t *testing.T, items *memcache.Client, key string) string {
	t.Helper()
	item, err := items.Get(key)
	must(t, err)
	return string(item.Value)
}

func expect(t *testing.T, sets article.Sets, key string, want ...string) {
	t.Helper()
	members, err := sets.Members(key)
	must(t, err)
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(members)); !slices.Equal(got, want) {
		t.Fatalf("%s is %d members, %.200q…; want %d, %.200q…", key, len(got), got, len(want), want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
