package holding

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/memory"
)

// model does what a table does, in the simplest way: it looks at everything each time.
type model struct {
	keys  []Key
	makes map[Key]*modelMaking
	waits []*modelWait // in the order in which they have begun
	over  []string
}

type modelMaking struct {
	maker    int // 0 if it is gone
	until    int64
	replaced bool
	told     map[int]bool
	ends     int64
}

type modelWait struct {
	id, asker int
	until     int64
	on        []Key
}

func (m *model) missed(id, asker int, keys []Key, until, now int64) string {
	var on []Key
	free := false
	for _, k := range keys {
		switch e := m.makes[k]; {
		case e != nil && e.told[asker]:
		case e == nil || now >= e.until:
			free = true
		default:
			on = append(on, k)
		}
	}
	if !free && len(on) > 0 && now < until {
		m.waits = append(m.waits, &modelWait{id, asker, until, on})
		return "waits"
	}
	if m.tell(asker, keys, now) {
		return "makes"
	}
	return "told"
}

func (m *model) tell(asker int, keys []Key, now int64) (makes bool) {
	for _, k := range keys {
		e := m.makes[k]
		if e == nil {
			e = &modelMaking{told: map[int]bool{}}
			m.makes[k] = e
		}
		e.told[asker] = true
		if now >= e.until {
			e.replaced = false
		}
		if now >= e.until || e.maker == 0 {
			e.maker, e.until = asker, now+k.lasts()
			e.ends = now + lasting*k.lasts()
			makes = true
		}
	}
	return makes
}

// end ends a wait, and returns it.
func (m *model) end(w *modelWait) *modelWait {
	m.waits = slices.DeleteFunc(m.waits, func(other *modelWait) bool { return other == w })
	return w
}

func (m *model) giveUp(w *modelWait, now int64) {
	m.end(w)
	m.tell(w.asker, w.on, now)
	m.over = append(m.over, fmt.Sprint(w.id, " is missing"))
}

func (m *model) stored(k Key) {
	if m.makes[k] == nil {
		return
	}
	delete(m.makes, k)
	for _, w := range slices.Clone(m.waits) {
		if w.on = slices.DeleteFunc(w.on, func(other Key) bool { return other == k }); len(w.on) == 0 {
			m.end(w)
			m.over = append(m.over, fmt.Sprint(w.id, " is stored"))
		}
	}
}

func (m *model) firstFor(k Key) *modelWait {
	i := slices.IndexFunc(m.waits, func(w *modelWait) bool { return slices.Contains(w.on, k) })
	if i < 0 {
		return nil
	}
	return m.waits[i]
}

func (m *model) gone(asker int, now int64) {
	for _, w := range slices.Clone(m.waits) {
		if w.asker == asker {
			m.end(w)
		}
	}
	for _, k := range m.keys {
		e := m.makes[k]
		if e == nil || !e.told[asker] {
			continue
		}
		delete(e.told, asker)
		if e.maker != asker {
			continue
		}
		e.maker = 0
		if !e.replaced {
			e.replaced = true
			if w := m.firstFor(k); w != nil {
				m.giveUp(w, now)
			}
		}
	}
}

// pass does the first thing that is due by now, and reports whether there was one.
func (m *model) pass(now int64) bool {
	type due struct {
		at int64
		do func()
	}
	var all []due
	for _, w := range m.waits {
		all = append(all, due{w.until, func() { m.giveUp(w, now) }})
	}
	for k, e := range m.makes {
		if w := m.firstFor(k); w != nil {
			all = append(all, due{e.until, func() { m.giveUp(w, now) }})
		}
		all = append(all, due{e.ends, func() { delete(m.makes, k) }})
	}
	if len(all) == 0 {
		return false
	}
	first := slices.MinFunc(all, func(a, b due) int { return cmp.Compare(a.at, b.at) })
	if first.at > now {
		return false
	}
	first.do()
	return true
}

// modelGet notes what becomes of it, and the keys for which it is to probe.
type modelGet struct {
	id     int
	over   *[]string
	probes map[Key]int
}

func (g *modelGet) Over(o Outcome) {
	*g.over = append(*g.over, fmt.Sprint(g.id, map[Outcome]string{Stored: " is stored", Missing: " is missing"}[o]))
}

func (g *modelGet) Probe(k Key) { g.probes[k]++ }

// begun is a wait that a table was asked for.
type begun struct {
	wait  *Wait
	asker int
	until int64
}

// A table does what its model does, whatever happens in whatever order. Nobody waits for longer than allowed, and in
// the end no memory is taken.
func TestTableIsLikeItsModel(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { comparesWithModel(t, rand.New(rand.NewPCG(seed, 0))) }) {
			return
		}
	}
}

func comparesWithModel(t *testing.T, r *rand.Rand) {
	var list []byprefix.Duration
	for i := range 3 {
		list = append(list, byprefix.Duration{Text: fmt.Sprint(i), For: 50*time.Millisecond + time.Duration(i)*time.Millisecond/8})
	}
	keys := NewKeys(list)
	m := &model{makes: map[Key]*modelMaking{}}
	for i := range list {
		m.keys = append(m.keys, Key{keys, fmt.Sprint(i)})
	}
	table, probes, waits := NewTable(&memory.Budget{Limit: 1 << 30}), map[Key]int{}, map[int]begun{}
	askers := make([]Asker, 6)
	var over []string
	now := int64(0)
	compare := func(what string, got, want string) {
		slices.Sort(over) // those who end together do so in any order
		slices.Sort(m.over)
		if got != want || !slices.Equal(over, m.over) || keys.Waiting() != len(m.waits) {
			t.Fatalf("at %d, %s: %s, %d wait, %q; the model: %s, %d wait, %q", now, what, got, keys.Waiting(), over, want, len(m.waits), m.over)
		}
		over, m.over = nil, nil
	}
	pass := func(to int64) {
		for at, any := table.Next(); any && at <= to; at, any = table.Next() {
			now = max(now, at)
			for id, w := range waits {
				if w.wait.waits() && w.until < now {
					t.Fatalf("get %d waits longer than allowed", id)
				}
			}
			table.Pass(now)
			for m.pass(now) {
			}
			compare("time passes", "", "")
		}
		now = to
	}
	for id := 1; id < 400; id++ {
		pass(now + 1 + int64(r.IntN(10_000))*8) // so that no two things are due at once
		k := m.keys[r.IntN(len(m.keys))]
		asker := r.IntN(len(askers))
		switch r.IntN(12) {
		case 0, 1:
			table.Stored(k)
			m.stored(k)
			compare("stored "+k.Text, "", "")
		case 2:
			for _, w := range waits {
				if w.asker == asker+1 {
					table.Leave(w.wait)
				}
			}
			if len(waitsOf(m, asker+1)) == 0 || r.IntN(2) == 0 {
				maps.DeleteFunc(waits, func(_ int, w begun) bool { return w.asker == asker+1 })
			}
			goneInOrder(table, &askers[asker], now)
			m.gone(asker+1, now)
			compare(fmt.Sprint(asker+1, " is gone"), "", "")
		case 3:
			for _, id := range slices.Sorted(maps.Keys(waits)) {
				if w := waits[id]; w.asker == asker+1 {
					got, want := table.Release(w.wait, now), false
					for _, mw := range waitsOf(m, asker+1) {
						if mw.id == id {
							m.tell(mw.asker, m.end(mw).on, now)
							want = true
						}
					}
					compare("released", fmt.Sprint(got), fmt.Sprint(want))
				}
			}
		case 4:
			for k := range probes {
				table.Probed(k, now)
				delete(probes, k)
			}
		default:
			asks := []Key{k}
			for len(asks) < len(m.keys) && r.IntN(3) == 0 {
				asks = append(asks, m.keys[r.IntN(len(m.keys))])
			}
			slices.SortFunc(asks, func(a, b Key) int { return cmp.Compare(a.Text, b.Text) })
			asks = slices.Compact(asks)
			until := now + asks[0].lasts()
			if r.IntN(10) == 0 {
				until = 0
			}
			verdict, w := table.Missed(&askers[asker], &modelGet{id, &over, probes}, asks, until, now)
			if verdict == Waits {
				waits[id] = begun{w, asker + 1, until}
			}
			want := m.missed(id, asker+1, asks, until, now)
			compare(fmt.Sprint(id, " of ", asker+1, " has missed ", len(asks)), map[Verdict]string{Waits: "waits", Told: "told", Makes: "makes"}[verdict], want)
		}
	}
	pass(now + 10_000_000)
	if used := table.quota.Used(); used != 0 || len(table.makings) != 0 || table.any.Load() != 0 || keys.Waiting() != 0 {
		t.Errorf("%d bytes are taken, %d makings", used, len(table.makings))
	}
	for i := range askers {
		if len(askers[i].told) > 0 {
			t.Errorf("asker %d has been told %d keys", i+1, len(askers[i].told))
		}
	}
}

func waitsOf(m *model, asker int) (list []*modelWait) {
	for _, w := range m.waits {
		if w.asker == asker {
			list = append(list, w)
		}
	}
	return list
}

// goneInOrder is Gone for one key after another, in the order of the model.
func goneInOrder(table *Table, asker *Asker, now int64) {
	all := slices.SortedFunc(maps.Keys(asker.told), func(a, b *making) int { return cmp.Compare(a.key.Text, b.key.Text) })
	for _, e := range all {
		asker.told = map[*making]struct{}{e: {}}
		table.Gone(asker, now)
	}
}
