//go:build linux

package verbload

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync/atomic"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/resp"
)

// Locks are the locks of a load. Names must be more than all clients together send requests at a
// time: a client that takes a lock must find it free.
type Locks struct {
	Names int // how many locks there are
}

// LockSeconds is for how long a lock is taken, if nobody releases it.
const LockSeconds = 10

// Name returns the name of a lock.
func (l Locks) Name(i int) string { return fmt.Sprintf("lock:%07d", i) }

// Token returns the token of whoever takes the lock.
func (l Locks) Token(i int) string { return fmt.Sprintf("t%015d", i) }

// Pairs takes a lock by the verb, and releases it when it has it.
func (l Locks) Pairs() load.Source {
	return &pairs{
		first: each(l.Names, func(i int) []byte {
			return fmt.Appendf(nil, "lock %s %s %d\r\n", l.Name(i), l.Token(i), LockSeconds)
		}),
		second: each(l.Names, func(i int) []byte { return fmt.Appendf(nil, "unlock %s %s\r\n", l.Name(i), l.Token(i)) }),
		taken:  stored, released: [][]byte{[]byte("DELETED\r\n")},
	}
}

// ValkeyPairs asks Valkey for the same: SET NX PX, and DELIFEQ, which deletes a key if it
// has the value given.
func (l Locks) ValkeyPairs() load.Source {
	milliseconds := strconv.Itoa(LockSeconds * 1000)
	return &pairs{
		first: each(l.Names, func(i int) []byte {
			return resp.AppendCommand(nil, "SET", l.Name(i), l.Token(i), "NX", "PX", milliseconds)
		}),
		second: each(l.Names, func(i int) []byte { return resp.AppendCommand(nil, "DELIFEQ", l.Name(i), l.Token(i)) }),
		taken:  []byte("+OK\r\n"), released: [][]byte{valkeyNumber(1)},
	}
}

// pairs are two requests, of which the second is sent when the first is answered. Names
// are taken in turn, so that nobody else has the lock.
type pairs struct {
	first, second [][]byte // one for each name
	taken         []byte   // the reply to the first
	released      [][]byte // the reply to the second: one for each name, or one for all
	asked         atomic.Uint64
}

// Next implements [load.Source].
func (p *pairs) Next(b *load.Batch, _ *rand.PCG) {
	i := p.asked.Add(1) % uint64(len(p.first))
	b.Send(p.first[i])
	b.ExpectLast(p.taken)
	then := b.Then()
	then.Send(p.second[i])
	then.ExpectLast(p.released[i%uint64(len(p.released))])
}
