package migration

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/proxy/placement"
)

// Migration is a move of plain keys from where one list of servers has them to where another one has them. It is safe for
// concurrent use.
type Migration struct {
	From, To placement.List
	Settle   time.Duration
	Tally    Tally

	began   time.Time
	at      []int           // for each server of From, its index in To; -1 if it has left
	cuts    []atomic.Uint64 // of the servers of To: the CAS of the mark, 0 if it is not known
	givenUp []atomic.Bool   // of the servers of From
	heard   atomic.Int64    // when a server was last asked, and has answered, since began
	leaving atomic.Int64    // when it was first known that some proxy leaves, since began; 0 if none does
	ending  atomic.Int64    // the same of the end
	over    atomic.Bool
	left    atomic.Bool // a further change of the servers waits
}

// Tally counts what a migration has done so far.
type Tally struct {
	Moved  atomic.Uint64 // items that are on their new server now
	Strays atomic.Uint64 // items from before that were deleted on the servers that the keys move to
	Swept  atomic.Int32  // servers whose items have all been looked at
}

// total returns how many items were moved or deleted.
func (t *Tally) total() uint64 { return t.Moved.Load() + t.Strays.Load() }

// New returns a migration that began at a time, perhaps before this process did.
func New(from, to placement.List, settle time.Duration, began time.Time) *Migration {
	if settle == 0 { // there is only one proxy, whose requests under way end within that
		settle = time.Second
	}
	m := &Migration{From: from, To: to, Settle: settle, began: began}
	for _, server := range from.Servers {
		m.at = append(m.at, slices.Index(to.Servers, server))
	}
	m.cuts, m.givenUp = make([]atomic.Uint64, len(to.Servers)), make([]atomic.Bool, len(from.Servers))
	m.heard.Store(int64(time.Since(began)))
	return m
}

// Match says which server of To each server of From is, -1 if it has left, for servers that are written in another way by now, such as
// with another weight. It is called before the migration is used.
func (m *Migration) Match(at []int) { m.at = at }

// At returns the index in To of a server of From, -1 if it has left.
func (m *Migration) At(server int) int { return m.at[server] }

// Phase returns how far this process has come. It is not under way if the keys are where To says. confirmed says that the servers
// have been asked lately whether others have come further; otherwise no change may be made.
func (m *Migration) Phase(now time.Time) (p moving.Phase, confirmed, underWay bool) {
	passed := now.Sub(m.began)
	confirmed = passed-time.Duration(m.heard.Load()) < m.Settle/2
	switch {
	case m.over.Load():
		return 0, false, false
	case m.ending.Load() > 0:
		return moving.Ending, true, true
	case passed < m.Settle:
		return moving.Both, true, true
	case passed < 2*m.Settle || m.leaving.Load() == 0:
		if confirmed {
			return moving.Moving, true, true
		}
	}
	return moving.Leaving, confirmed, true
}

// Source returns the index in From of the server that had key, if another one is to have it: owner, by its index in To.
func (m *Migration) Source(key []byte, owner int) (server int, moves bool) {
	server = m.From.Layout.Locate(key)
	return server, m.at[server] != owner
}

// GiveUp has a server of From not be asked any more, as it has left and can't be reached.
func (m *Migration) GiveUp(server int) { m.givenUp[server].Store(true) }

// GaveUp reports whether a server of From is not asked any more.
func (m *Migration) GaveUp(server int) bool { return m.givenUp[server].Load() }

// HasLeft reports whether a server of From is not in To.
func (m *Migration) HasLeft(server int) bool { return m.at[server] < 0 }

// Cut returns the CAS on a server of To below which items are from before the migration; known is false if it is not known yet.
func (m *Migration) Cut(server int) (cas uint64, known bool) {
	cas = m.cuts[server].Load()
	return cas, cas > 0
}

// Over reports whether the migration has ended.
func (m *Migration) Over() bool { return m.over.Load() }

// Leave has the migration end before its time, because the servers are to change again.
func (m *Migration) Leave() { m.left.Store(true) }

// Join has a process that starts take part in a migration that has ended at a time, if that is not zero: others may still be about to
// learn that nothing is left to be moved.
func (m *Migration) Join(ended time.Time) {
	if !ended.IsZero() {
		m.ending.Store(max(1, int64(ended.Sub(m.began))))
	}
}

// Ends reports whether nothing is left to be moved, so that it will soon be over.
func (m *Migration) Ends() bool { return m.ending.Load() > 0 }

// Waits reports whether a further change of the servers waits for its end.
func (m *Migration) Waits() bool { return m.left.Load() }

// Began returns when the migration began.
func (m *Migration) Began() time.Time { return m.began }
