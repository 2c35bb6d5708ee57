package verbtest

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Model models memcached as far as verbs can tell. It does nothing by itself: a test
// decides when time passes, an item is evicted, and an item is full.
type Model struct {
	Clock int64  // milliseconds since the epoch
	Tick  int64  // milliseconds after the full second at which its clock, which counts seconds, ticks
	Old   bool   // can't append or create in one operation, nor tell sizes
	epoch uint32 // of the replies
	// Behind says that there is a proxy in between, which shows no restart.
	Behind bool
	Limit  int // the longest value it accepts, in bytes
	cas    uint64
	Items  map[string]*Item
	full   map[string]int // lower limits for appends to these items

	done   int  // operations carried out
	Direct bool // carry out operations without encoding them first
}

// Item is an item of a memcached.
type Item struct {
	Value   []byte
	Flags   uint32
	cas     uint64
	Expires int64 // in seconds
}

// Never is the Expires of an item that never expires.
const Never = math.MaxInt64

// NewModel returns an empty memcached.
func NewModel() *Model {
	return &Model{Clock: 1_700_000_000_000, Limit: 1 << 20, Items: map[string]*Item{}, full: map[string]int{}}
}

// Seconds is memcached's time, in seconds since the epoch.
func (m *Model) Seconds() int64 {
	s := m.Clock - m.Tick
	n := s / 1000
	if s%1000 < 0 {
		n--
	}
	return n
}

// expiry converts an exptime to a time as memcached does: 0 is never, a negative one is
// past, a small one is relative, a large one is a point in time, which may have passed.
func (m *Model) expiry(exptime int64) int64 {
	switch {
	case exptime < 0:
		return 0
	case exptime == 0:
		return Never
	case exptime > 30*24*60*60:
		return exptime
	}
	return m.Seconds() + exptime
}

// Find returns the item under key, nil if there is none or it has expired.
func (m *Model) Find(key string) *Item {
	i := m.Items[key]
	if i != nil && i.Expires <= m.Seconds() {
		m.Evict(key)
		return nil
	}
	return i
}

// Restart drops all items and restarts the CAS counter.
func (m *Model) Restart() {
	if !m.Behind {
		m.epoch++
	}
	m.cas = 0
	clear(m.Items)
	clear(m.full)
}

// Evict removes an item.
func (m *Model) Evict(key string) {
	delete(m.Items, key)
	delete(m.full, key)
}

// Fill makes an item full: appends to it fail.
func (m *Model) Fill(key string) {
	if i := m.Find(key); i != nil {
		m.full[key] = len(i.Value)
	}
}

// Put stores an item as a client without verbs does.
func (m *Model) Put(key, value string, flags uint32, exptime int64) {
	m.set(key, []byte(value), flags, m.expiry(exptime))
}

func (m *Model) set(key string, value []byte, flags uint32, expires int64) verbs.Reply {
	m.cas++
	m.Items[key] = &Item{bytes.Clone(value), flags, m.cas, expires}
	return verbs.Reply{Status: verbs.Stored}
}

// Value returns the value of the item under key, "none" if there is no item.
func (m *Model) Value(key string) string {
	if i := m.Find(key); i != nil {
		return string(i.Value)
	}
	return "none"
}

// Keys returns the keys of all items, in order, but those by which it tells the time.
func (m *Model) Keys() []string {
	var keys []string
	for _, key := range slices.Sorted(maps.Keys(m.Items)) {
		if m.Find(key) != nil && !tellsTime(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// tellsTime reports whether key is that of an item by which memcached tells the time.
func tellsTime(key string) bool {
	_, name, _ := strings.Cut(key, ":")
	return structure.IsClock([]byte(name))
}

// carryOut carries out op, without encoding it.
func (m *Model) carryOut(t testing.TB, op verbs.Op) verbs.Reply {
	key := string(op.Key)
	i := m.Find(key)
	if op.Kind == verbs.AppendOrCreate && m.Old {
		t.Fatalf("append or create %q: this server is too old", key)
	}
	if op.Outdated(m.epoch) {
		return verbs.Reply{Status: verbs.Exists}
	}
	if len(op.Data) > m.Limit {
		if op.Command() == protocol.MetaSet || op.Command() == protocol.Set {
			m.Evict(key)
		}
		return verbs.Reply{Err: "SERVER_ERROR object too large for cache"}
	}
	switch op.Kind {
	case verbs.Fetch, verbs.Probe:
		return m.read(op, i)
	case verbs.Append, verbs.AppendSized, verbs.AppendOrCreate, verbs.AppendIf:
		return m.append(op, i)
	case verbs.Delete, verbs.DeleteIf:
		return m.delete(op, i)
	case verbs.Add:
		if i != nil {
			return verbs.Reply{Status: verbs.NotStored}
		}
		return m.set(key, op.Data, op.Flags, m.expiry(op.Exptime))
	case verbs.Set:
		return m.set(key, op.Data, op.Flags, m.expiry(op.Exptime))
	case verbs.Incr, verbs.Decr, verbs.IncrOrCreate:
		return m.count(op, i)
	case verbs.Swap:
		return m.swap(op, i)
	case verbs.Touch:
		if i == nil {
			return verbs.Reply{Status: verbs.Missing}
		}
		i.Expires = m.expiry(op.Exptime)
		return verbs.Reply{Status: verbs.Stored}
	}
	t.Fatalf("an operation of kind %d", op.Kind)
	return verbs.Reply{}
}

func (m *Model) read(op verbs.Op, i *Item) verbs.Reply {
	if i == nil {
		return verbs.Reply{Status: verbs.Missing}
	}
	r := verbs.Reply{Status: verbs.Hit, Flags: i.Flags, CAS: i.cas, TTL: -1, Size: len(i.Value), Epoch: m.epoch, Indirect: m.Behind}
	if op.Kind == verbs.Fetch {
		r.Data = bytes.Clone(i.Value)
	}
	switch {
	case op.Brief: // the proxy does not learn it
		r.TTL = math.MinInt64
	case i.Expires != Never:
		r.TTL = i.Expires - m.Seconds()
	}
	return r
}

func (m *Model) append(op verbs.Op, i *Item) verbs.Reply {
	if i == nil {
		if op.Kind != verbs.AppendOrCreate {
			return verbs.Reply{Status: verbs.NotStored}
		}
		return m.sized(op, m.set(string(op.Key), op.Data, 0, m.expiry(op.Exptime)))
	}
	if op.Kind == verbs.AppendIf && op.CAS != i.cas {
		return verbs.Reply{Status: verbs.Exists}
	}
	limit := m.Limit
	if full, ok := m.full[string(op.Key)]; ok {
		limit = full
	}
	if len(i.Value)+len(op.Data) > limit {
		return verbs.Reply{Status: verbs.NotStored}
	}
	return m.sized(op, m.set(string(op.Key), slices.Concat(i.Value, op.Data), i.Flags, i.Expires))
}

// sized adds to the reply of an append what the upstream tells: size and CAS.
func (m *Model) sized(op verbs.Op, r verbs.Reply) verbs.Reply {
	r.Grown = len(op.Data)
	if op.Kind != verbs.Append && !m.Old {
		r.Size = len(m.Items[string(op.Key)].Value)
	}
	if op.Kind == verbs.AppendIf {
		r.CAS = m.Items[string(op.Key)].cas
	}
	return r
}

func (m *Model) delete(op verbs.Op, i *Item) verbs.Reply {
	switch {
	case i == nil:
		return verbs.Reply{Status: verbs.Missing}
	case op.Kind == verbs.DeleteIf && op.CAS != i.cas:
		return verbs.Reply{Status: verbs.Exists}
	}
	m.Evict(string(op.Key))
	return verbs.Reply{Status: verbs.Stored}
}

// count is incr or decr: an incr wraps, a decr stops at 0 and keeps the length of the value.
func (m *Model) count(op verbs.Op, i *Item) verbs.Reply {
	switch {
	case i == nil && op.Kind == verbs.IncrOrCreate:
		m.set(string(op.Key), strconv.AppendUint(nil, op.Number, 10), 0, m.expiry(op.Exptime))
		return verbs.Reply{Status: verbs.Stored, Number: op.Number}
	case i == nil:
		return verbs.Reply{Status: verbs.Missing}
	}
	n, ok := protocol.ParseUint(bytes.TrimRight(i.Value, " "))
	if !ok {
		return verbs.Reply{Err: "CLIENT_ERROR cannot increment or decrement non-numeric value"}
	}
	if op.Kind != verbs.Decr {
		n += op.Number
	} else {
		n -= min(n, op.Number)
	}
	m.set(string(op.Key), fmt.Appendf(nil, "%-*d", len(i.Value), n), i.Flags, i.Expires)
	return verbs.Reply{Status: verbs.Stored, Number: n}
}

func (m *Model) swap(op verbs.Op, i *Item) verbs.Reply {
	switch {
	case i == nil:
		return verbs.Reply{Status: verbs.Missing}
	case i.cas != op.CAS:
		return verbs.Reply{Status: verbs.Exists}
	}
	return m.set(string(op.Key), op.Data, op.Flags, m.expiry(op.Exptime))
}
