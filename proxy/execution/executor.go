package execution

import (
	"github.com/memverbs/memverbs/proxy/warning"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// Executor runs the verbs of one pool on one event loop.
type Executor struct {
	core
	appends   appends
	reads     sharedReads
	rooms     rooms
	arguments argumentRoom
	turns     turns
	batches   batches
	outgrown  outgrown
	lost      warning.Limited
	foreign   warning.Limited
	full      warning.Limited
	uncached  warning.Limited
	beginning *Execution // while its verb begins: often asked for the owner of its key
	views     *structure.Views
	decisions structure.Decisions
	hints     verbs.Hints
	scratch   structure.Scratch
	asked     []byte       // scratch: what a request reads
	woken     []*Execution // verbs that another verb has woken
	begun     uint64       // executions so far
	running   int          // executions now
	idle      []*Execution // for reuse
	kept      int          // memory of idle routines, in bytes
	carried   int          // the same of running ones: what they had kept when they began
}
