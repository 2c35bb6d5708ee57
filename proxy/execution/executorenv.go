package execution

import (
	"log/slog"
	"time"

	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/latency"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/placement"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/views"
	"github.com/memverbs/memverbs/verbs/waiters"
)

// Env is what an executor needs of its loop and its pool. It does not change after the
// first verb has begun.
type Env struct {
	Net        *transport.Loop
	Counts     *Counts // of the pool
	Work       *Work   // of the loop
	Clock      *clock.Clock
	Time       *latency.Clock
	Log        *slog.Logger
	Account    *memory.Account   // counts the memory of verbs
	Queues     *admission.Queues // for clients that wait to begin verbs
	Loops      int               // number of loops of the process
	Timeout    time.Duration     // of an upstream's answer, and of a wait for memory
	Options    *verbs.Options
	ViewQuota  *views.Quota
	Awaited    *waiters.Awaited      // what calls of all loops wait for, in this pool
	Precedence *structure.Precedence // which of the loops decides next on a structure, likewise

	Kept *near.Cache // says for how long reads of structures need not ask again; nil if they always do

	Places *placement.Places // where structures are while servers come and go; nil if they are always where the layout says
	// RecordKey is the key of the item that says which servers the pool has had, and Learn takes what is read there.
	RecordKey []byte
	Learn     func([]placement.Record)

	Namespaces namespace.Patterns
	Spaces     []*namespace.Spaces // of each upstream; nil if there are no namespaces
	// LookUp sends a task by which the generation of a namespace is found or made, if there is any.
	LookUp func(u *pool.Member, s *namespace.Space, task namespace.Task)

	// Post calls fn on the loop, later. It may be called from any goroutine. It returns
	// false if the loop has ended.
	Post func(fn func()) bool
	// Proceed lets clients and verbs proceed as far as they can, and flushes the
	// outputs.
	Proceed func()
	// Shed frees the memory that the loop keeps for reuse.
	Shed func()
	// RelieveVerbs makes all loops free memory for verbs that wait for it.
	RelieveVerbs func()
	// Elsewhere calls do, which takes long, and then then, both on another goroutine
	// than the loops'.
	Elsewhere func(do, then func())
}
