package article_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/memverbs/memverbs/tests/bench/article"
)

func TestTasks(t *testing.T) {
	over(t, func(t *testing.T, _ string, _ article.Sets, items *memcache.Client) {
		tasks := article.Tasks{Client: items}
		none := func(when string) {
			t.Helper()
			if id, _, err := tasks.Take("jobs", 10); !errors.Is(err, memcache.ErrCacheMiss) {
				t.Errorf("%s: %q, %v", when, id, err)
			}
		}
		none("without a queue")
		must(t, tasks.Put("jobs", "later", time.Now().Add(time.Hour), []byte("1")))
		none("when none is due")
		must(t, tasks.Put("jobs", "now", time.Now(), []byte("2")))
		if id, content, err := tasks.Take("jobs", 10); id != "now" || string(content) != "2" || err != nil {
			t.Errorf("%q, %q, %v", id, content, err)
		}
		none("when it is locked")
		must(t, tasks.Done("jobs", "now"))
		none("when it is done")
	})
}

// What several clients put and take at the same time is taken once each.
func TestTasksTogether(t *testing.T) {
	over(t, func(t *testing.T, addr string, _ article.Sets, _ *memcache.Client) {
		const clients, each = 4, 30
		taken := make([][]string, clients)
		errs := make([]error, clients)
		var all sync.WaitGroup
		for client := range clients {
			tasks := article.Tasks{Client: connect(t, addr)}
			all.Go(func() {
				for n := range each {
					err := tasks.Put("jobs", fmt.Sprintf("%d-%d", client, n), time.Now(), []byte("x"))
					id := ""
					for err == nil && id == "" {
						if id, _, err = tasks.Take("jobs", 10); errors.Is(err, memcache.ErrCacheMiss) {
							err = nil
						}
					}
					if err == nil {
						err = tasks.Done("jobs", id)
					}
					taken[client] = append(taken[client], id)
					errs[client] = errors.Join(errs[client], err)
				}
			})
		}
		all.Wait()
		must(t, errors.Join(errs...))
		got := slices.Concat(taken...)
		slices.Sort(got)
		if unique := slices.Compact(slices.Clone(got)); len(unique) != clients*each {
			t.Errorf("%d tasks were taken, %d of them different", len(got), len(unique))
		}
	})
}
