package execution

import (
	"log/slog"
	"time"

	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Env is what an executor gets of its loop. It does not change once verbs have begun.
type Env struct {
	Net      *transport.Loop
	Clock    *clock.Clock
	Log      *slog.Logger
	Account  *memory.Account   // counts what verbs take of the memory
	Queues   *admission.Queues // in which clients wait to begin verbs
	Loops    int               // of the process
	Timeout  time.Duration     // for an upstream to answer, and to wait for memory
	Options  *verbs.Options
	ViewRoom *structure.ViewRoom

	// Post has fn called on the loop, from any goroutine. It returns false if the loop has
	// ended.
	Post func(fn func()) bool
	// Settle has everybody go on that can, and writes what is to be written.
	Settle func()
	// Shed frees what the loop keeps for later use.
	Shed func()
	// RelieveVerbs has all loops free memory for verbs that wait for it.
	RelieveVerbs func()
	// Elsewhere has something done that takes long, on no loop, and then calls then, on
	// none either.
	Elsewhere func(do, then func())
}
