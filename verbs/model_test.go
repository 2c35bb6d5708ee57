package verbs

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/memverbs/memverbs/protocol"
)

// model is a memcached, as far as verbs can tell. It does nothing by itself:
// time passes, items are evicted and items are full when a test says so.
type model struct {
	now   int64  // milliseconds since the epoch
	tick  int64  // when within a second its clock goes on; it counts in seconds, as memcached does
	old   bool   // cannot append and create in one, nor tell sizes
	epoch uint32 // of its connections
	limit int    // the longest value it takes, in bytes
	cas   uint64
	items map[string]*item
	full  map[string]int // further limits, which appending to these items heeds

	done   int  // operations carried out
	direct bool // operations don't go over the wire first
}

type item struct {
	value   []byte
	flags   uint32
	cas     uint64
	expires int64 // in seconds
}

const never = math.MaxInt64

func newModel() *model {
	return &model{now: 1_700_000_000_000, limit: 1 << 20, items: map[string]*item{}, full: map[string]int{}}
}

func (m *model) seconds() int64 {
	s := m.now - m.tick
	n := s / 1000
	if s%1000 < 0 {
		n--
	}
	return n
}

// expiry reads an exptime as memcached does: none, so many seconds from now,
// or a point in time, which may have gone by.
func (m *model) expiry(exptime int64) int64 {
	switch {
	case exptime == 0:
		return never
	case exptime > 30*24*60*60:
		return exptime
	}
	return m.seconds() + exptime
}

// find returns the item under key, nil if there is none or none any more.
func (m *model) find(key string) *item {
	i := m.items[key]
	if i != nil && i.expires <= m.seconds() {
		m.evict(key)
		return nil
	}
	return i
}

// restart forgets everything, and begins to count anew.
func (m *model) restart() {
	m.epoch++
	m.cas = 0
	clear(m.items)
	clear(m.full)
}

func (m *model) evict(key string) {
	delete(m.items, key)
	delete(m.full, key)
}

// fill makes an item as full as if the limit were its present length.
func (m *model) fill(key string) {
	if i := m.find(key); i != nil {
		m.full[key] = len(i.value)
	}
}

// put stores an item as a client does that knows no verbs.
func (m *model) put(key, value string, flags uint32, exptime int64) {
	m.set(key, []byte(value), flags, m.expiry(exptime))
}

func (m *model) set(key string, value []byte, flags uint32, expires int64) Reply {
	m.cas++
	m.items[key] = &item{bytes.Clone(value), flags, m.cas, expires}
	return Reply{Status: Stored}
}

// value returns what the item under key holds, "none" if there is no item.
func (m *model) value(key string) string {
	if i := m.find(key); i != nil {
		return string(i.value)
	}
	return "none"
}

// keys returns the keys of all items, in order.
func (m *model) keys() []string {
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(m.items)) {
		if m.find(key) != nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// do carries out op. What is wrong with it ends the test.
func (m *model) do(t testing.TB, op Op) Reply {
	m.done++
	if !protocol.PlainWord(op.Key) {
		t.Fatalf("an operation on the key %q", op.Key)
	}
	if m.direct {
		return m.carryOut(t, op)
	}
	return m.overWire(t, op)
}

func (m *model) carryOut(t testing.TB, op Op) Reply {
	key := string(op.Key)
	i := m.find(key)
	if op.Kind == AppendOrCreate && m.old {
		t.Fatalf("append or create %q: this server is too old", key)
	}
	if op.Outdated(m.epoch) {
		return Reply{Status: Exists}
	}
	if len(op.Data) > m.limit {
		if op.Command() == protocol.MetaSet {
			m.evict(key)
		}
		return Reply{Err: "SERVER_ERROR object too large for cache"}
	}
	switch op.Kind {
	case Fetch, Probe:
		return m.read(op, i)
	case Append, AppendSized, AppendOrCreate, AppendIf:
		return m.append(op, i)
	case Delete, DeleteIf:
		return m.delete(op, i)
	case Add:
		if i != nil {
			return Reply{Status: NotStored}
		}
		return m.set(key, op.Data, op.Flags, m.expiry(op.Exptime))
	case Swap:
		return m.swap(op, i)
	case Touch:
		if i == nil {
			return Reply{Status: Missing}
		}
		i.expires = m.expiry(op.Exptime)
		return Reply{Status: Stored}
	}
	t.Fatalf("an operation of kind %d", op.Kind)
	return Reply{}
}

func (m *model) read(op Op, i *item) Reply {
	if i == nil {
		return Reply{Status: Missing}
	}
	r := Reply{Status: Hit, Flags: i.flags, CAS: i.cas, TTL: -1, Size: len(i.value), Epoch: m.epoch}
	if op.Kind == Fetch {
		r.Data = bytes.Clone(i.value)
	}
	if i.expires != never {
		r.TTL = i.expires - m.seconds()
	}
	return r
}

func (m *model) append(op Op, i *item) Reply {
	if i == nil {
		if op.Kind != AppendOrCreate {
			return Reply{Status: NotStored}
		}
		return m.sized(op, m.set(string(op.Key), op.Data, 0, m.expiry(op.Exptime)))
	}
	if op.Kind == AppendIf && op.CAS != i.cas {
		return Reply{Status: Exists}
	}
	limit := m.limit
	if full, ok := m.full[string(op.Key)]; ok {
		limit = full
	}
	if len(i.value)+len(op.Data) > limit {
		return Reply{Status: NotStored}
	}
	return m.sized(op, m.set(string(op.Key), slices.Concat(i.value, op.Data), i.flags, i.expires))
}

// sized adds the size to the reply of an append, where there is one.
func (m *model) sized(op Op, r Reply) Reply {
	r.Grown = len(op.Data)
	if op.Kind != Append && !m.old {
		r.Size = len(m.items[string(op.Key)].value)
	}
	if op.Kind == AppendIf {
		r.CAS = m.items[string(op.Key)].cas
	}
	return r
}

func (m *model) delete(op Op, i *item) Reply {
	switch {
	case i == nil:
		return Reply{Status: Missing}
	case op.Kind == DeleteIf && op.CAS != i.cas:
		return Reply{Status: Exists}
	}
	m.evict(string(op.Key))
	return Reply{Status: Stored}
}

func (m *model) swap(op Op, i *item) Reply {
	switch {
	case i == nil:
		return Reply{Status: Missing}
	case i.cas != op.CAS:
		return Reply{Status: Exists}
	}
	return m.set(string(op.Key), op.Data, op.Flags, m.expiry(op.Exptime))
}
