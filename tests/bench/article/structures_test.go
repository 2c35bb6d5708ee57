package article_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/article"
)

func TestLists(t *testing.T) {
	over(t, func(t *testing.T, _ string, _ article.Sets, items *memcache.Client) {
		lists := article.Lists{Client: items}
		if _, err := lists.Pop("jobs"); !errors.Is(err, memcache.ErrCacheMiss) {
			t.Errorf("popping from no list: %v", err)
		}
		must(t, lists.Push("jobs", "a"))
		must(t, lists.Push("jobs", "b", "c"))
		elements, err := lists.Range("jobs")
		if !slices.Equal(elements, []string{"a", "b", "c"}) || err != nil {
			t.Errorf("%q, %v", elements, err)
		}
		for _, want := range []string{"a", "b", "c", ""} {
			if got, err := lists.Pop("jobs"); got != want || err != nil {
				t.Errorf("%q instead of %q, %v", got, want, err)
			}
		}
	})
}

// What several clients push and pop at the same time is popped once each.
func TestListsTogether(t *testing.T) {
	over(t, func(t *testing.T, addr string, _ article.Sets, items *memcache.Client) {
		const clients, each = 4, 100
		popped := make([][]string, clients)
		errs := make([]error, clients)
		var all sync.WaitGroup
		for client := range clients {
			lists := article.Lists{Client: connect(t, addr)}
			all.Go(func() {
				for n := range each {
					errs[client] = errors.Join(errs[client], lists.Push("jobs", fmt.Sprintf("%d-%d", client, n)))
					element, err := lists.Pop("jobs")
					errs[client] = errors.Join(errs[client], err)
					popped[client] = append(popped[client], element)
				}
			})
		}
		all.Wait()
		must(t, errors.Join(errs...))
		got := slices.Concat(popped...)
		slices.Sort(got)
		if unique := slices.Compact(slices.Clone(got)); len(unique) != clients*each || unique[0] == "" {
			t.Errorf("%d elements, %d of them different", len(got), len(unique))
		}
	})
}

func TestTables(t *testing.T) {
	over(t, func(t *testing.T, _ string, _ article.Sets, items *memcache.Client) {
		tables := article.Tables{Client: items, RowKey: func(key, field string) string { return key + "." + field }}
		if _, err := tables.All("users"); !errors.Is(err, memcache.ErrCacheMiss) {
			t.Errorf("rows of no table: %v", err)
		}
		must(t, items.Set(&memcache.Item{Key: "users", Value: []byte("joe ann eve")}))
		must(t, tables.Set("users", "joe", []byte("1")))
		must(t, tables.Set("users", "ann", []byte("2")))
		if row, err := tables.Get("users", "ann"); string(row) != "2" || err != nil {
			t.Errorf("%q, %v", row, err)
		}
		rows, err := tables.All("users")
		if len(rows) != 2 || string(rows["joe"]) != "1" || string(rows["ann"]) != "2" || err != nil {
			t.Errorf("%q, %v", rows, err)
		}
	})
}

func TestLocks(t *testing.T) {
	over(t, func(t *testing.T, _ string, _ article.Sets, items *memcache.Client) {
		locks := article.Locks{Client: items}
		for _, step := range []struct {
			what string
			do   func() (bool, error)
			want bool
		}{
			{"releasing a free lock", func() (bool, error) { return locks.Unlock("door", "me") }, false},
			{"taking it", func() (bool, error) { return locks.Lock("door", "me", 10) }, true},
			{"taking it from its holder", func() (bool, error) { return locks.Lock("door", "you", 10) }, false},
			{"releasing it for its holder", func() (bool, error) { return locks.Unlock("door", "you") }, false},
			{"releasing it", func() (bool, error) { return locks.Unlock("door", "me") }, true},
			{"taking it again", func() (bool, error) { return locks.Lock("door", "you", 10) }, true},
		} {
			if got, err := step.do(); got != step.want || err != nil {
				t.Errorf("%s: %v, %v", step.what, got, err)
			}
		}
	})
}
