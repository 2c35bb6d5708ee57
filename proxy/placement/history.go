package placement

import (
	"slices"
	"time"

	"github.com/memverbs/memverbs/sharding"
)

// List is a list of servers over which keys are, or were, spread.
type List struct {
	Rule    string          // how keys are spread, as a word
	Servers []string        // as they are written in settings, in the order of Layout's indexes
	Layout  sharding.Layout // nil if it can't be known; then any key may have been anywhere
	Pending bool            // in a record: a proxy has not settled on it, or not settled since it used it
}

// same reports whether two lists place keys alike.
func (l *List) same(other *List) bool {
	return l.Rule == other.Rule && slices.Equal(l.Servers, other.Servers)
}

// has returns the index of a server in the list, -1 if it is not there. With another weight, or name, it is the same server.
func (l *List) has(server string) int {
	address := addressOf(server)
	return slices.IndexFunc(l.Servers, func(other string) bool { return addressOf(other) == address })
}

// addressOf returns the address of a server that is written as in settings; what can't be read is its own address.
func addressOf(server string) string {
	s, err := sharding.ParseServer(server)
	if err != nil {
		return server
	}
	return s.Network + ":" + s.Address
}

// mostLists is how many former lists are remembered.
const mostLists = 16

// History is the list of servers that a pool uses, and those that it has used before. It is immutable. The zero value has
// no servers.
type History struct {
	now     List
	formers []former // the latest first
}

// former is a list that was used before.
type former struct {
	List
	until time.Time // until then, verbs are refused on keys that have another place in it
	// settled says that this process has used it for keys that had another place before it. Another may have done so if it
	// learned of the list earlier.
	settled bool
	at      []int // for each server, its index in the present list; -1 if it is not there
}

// New returns the history of a pool that has used no other list.
func New(list List) *History { return &History{now: list} }

// Change returns the history after the pool has changed to another list, at a time. Until settle has passed, verbs are
// refused on the keys that this moves.
func (h *History) Change(to List, at time.Time, settle time.Duration) *History {
	if to.same(&h.now) {
		return h
	}
	next := &History{now: to}
	next.add(former{List: h.now, until: at.Add(settle), settled: h.Settled(at)})
	for _, f := range h.formers {
		next.add(f)
	}
	return next
}

// Learn returns the history with what a record says that other proxies have used: the list that they use now, and earlier
// ones. It settles if it does not know the first, or one that others have not settled on. at is the time, settle as in [History.Change]. layoutOf returns the layout of a list, nil if that can't be known.
func (h *History) Learn(r Record, at time.Time, settle time.Duration, layoutOf func(List) sharding.Layout) *History {
	next := &History{now: h.now}
	for _, f := range h.formers {
		next.add(f)
	}
	for i, list := range r {
		unsettled := (i == 0 || list.Pending) && !h.knows(&list)
		list.Layout, list.Pending = layoutOf(list), false
		f := former{List: list, settled: true}
		if unsettled {
			f.until = at.Add(settle)
		}
		next.add(f)
	}
	return next
}

// add adds a list that is older than the others.
func (h *History) add(f former) {
	if i := slices.IndexFunc(h.formers, func(g former) bool { return g.same(&f.List) }); i >= 0 {
		known := &h.formers[i]
		known.settled = known.settled || f.settled
		if f.until.After(known.until) {
			known.until = f.until
		}
		return
	}
	if len(h.formers) == mostLists {
		h.forget(f)
		return
	}
	f.at = nil
	for _, server := range f.Servers {
		f.at = append(f.at, h.now.has(server))
	}
	h.formers = append(h.formers, f)
}

// forget has the oldest list stand for one that there is no room for: where that had its keys is not known any more.
func (h *History) forget(f former) {
	if last := &h.formers[mostLists-1]; f.until.After(last.until) {
		last.Layout, last.until = nil, f.until
	}
}

// Settled reports whether verbs may be used on all keys at a time.
func (h *History) Settled(at time.Time) bool { return h.Unsettled(at) == 0 }

// Unsettled returns for how long from a time on verbs are refused on keys that have moved, 0 if they are not.
func (h *History) Unsettled(at time.Time) (rest time.Duration) {
	for i := range h.formers {
		rest = max(rest, h.formers[i].until.Sub(at))
	}
	return rest
}

// Beyond returns the servers that other proxies may use at a time though the present list lacks them, and for how long they may.
func (h *History) Beyond(at time.Time) (servers []string, rest time.Duration) {
	for i := range h.formers {
		f := &h.formers[i]
		for _, server := range f.Servers {
			if until := f.until.Sub(at); until > 0 && h.now.has(server) < 0 {
				servers, rest = append(servers, server), max(rest, until)
			}
		}
	}
	slices.Sort(servers)
	return slices.Compact(servers), rest
}

// Changed reports whether the pool has used other lists.
func (h *History) Changed() bool { return len(h.formers) > 0 }

// Place says what a verb does about a key at a time. owner is the index of the server that has the key by the present list.
// It is refused if refused is positive, for so long. Otherwise former are the indexes, in the present list, of servers at
// which the structure may have remained; they are appended to dst.
func (h *History) Place(dst []int, key []byte, owner int, at time.Time) (former []int, refused time.Duration) {
	for i := range h.formers {
		f := &h.formers[i]
		was := -1
		if f.Layout != nil {
			if was = f.at[f.Layout.Locate(key)]; was == owner {
				continue
			}
		}
		refused = max(refused, f.until.Sub(at))
		if was >= 0 && !slices.Contains(dst, was) {
			dst = append(dst, was)
		}
	}
	return dst, refused
}

// Record returns what is to be recorded at a time: the list that is settled, which may be one before the present one, and then
// all that other proxies may have used. It is empty if this process has settled on no list.
func (h *History) Record(at time.Time) (r Record) {
	first := h.lastSettled(at)
	if first == nil {
		return nil
	}
	r = append(r, *first)
	add := func(list List, pending bool) {
		if list.Pending = pending; len(r) <= mostLists && !list.same(first) {
			r = append(r, list)
		}
	}
	add(h.now, true)
	for i := range h.formers {
		if f := &h.formers[i]; !f.same(&h.now) {
			add(f.List, f.until.After(at))
		}
	}
	return r
}

// lastSettled returns the latest list that is settled, nil if none is.
func (h *History) lastSettled(at time.Time) *List {
	if h.Settled(at) {
		return &h.now
	}
	for i := range h.formers {
		if f := &h.formers[i]; f.settled {
			return &f.List
		}
	}
	return nil
}

// Knows reports whether each list of a record is the present one or a former one.
func (h *History) Knows(r Record) bool {
	return !slices.ContainsFunc(r, func(list List) bool { return !h.knows(&list) })
}

func (h *History) knows(list *List) bool {
	return h.now.same(list) || slices.ContainsFunc(h.formers, func(f former) bool { return f.same(list) })
}
