package verbtest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// Interfere makes calls of verbs of list while another client interferes between any two
// operations. It checks that every call ends with an answer. value returns what the
// other client stores under a key.
func Interfere(t *testing.T, list *verbs.List, requests []string, value func(r *rand.Rand, key string) string) {
	OnBoth(t, list, func(t *testing.T, w *World) {
		most := 0
		for seed := range uint64(1500) {
			r := rand.New(rand.NewPCG(seed, 3))
			w.Direct = true
			malice := r.IntN(100)
			w.Instead = func(op verbs.Op) (verbs.Reply, bool) {
				if r.IntN(100) < malice {
					w.interfere(r, string(op.Key), value)
				}
				return verbs.Reply{}, false
			}
			for _, request := range requests {
				if answer := w.Send(request); strings.Contains(answer, "CLIENT_ERROR") {
					t.Fatalf("seed %d: %q: answered %q", seed, request, answer)
				}
				most = max(most, w.Client.Done)
			}
			w.Model = &Model{Clock: w.Clock, Old: w.Old, Limit: w.Limit, Items: map[string]*Item{}, full: map[string]int{}}
		}
		t.Logf("at most %d operations in one call", most)
	})
}

// interfere does something to the item under key that another client might do.
func (w *World) interfere(r *rand.Rand, key string, value func(r *rand.Rand, key string) string) {
	now := w.Find(key)
	switch r.IntN(5) {
	case 0:
		w.Evict(key)
	case 1:
		w.Fill(key)
	case 2:
		w.Put(key, value(r, key), 0, []int64{0, 1, 90}[r.IntN(3)])
	case 3:
		if now != nil {
			w.set(key, now.Value, now.Flags, now.Expires) // another CAS
		}
	case 4:
		if now != nil {
			now.Expires = w.Seconds() + 1
		}
	}
}
