package execution

import "github.com/memverbs/memverbs/verbs"

// Executor runs the verbs of one pool on one event loop.
type Executor struct {
	core
	env          verbEnv // the Env of its verbs
	appends      appends
	reads        sharedReads
	reservations reservations
	arguments    argumentMemory
	turns        turns
	batches      batches
	idle         idle
	glances      *verbs.Glances
	waits        waits
	woken        []*Execution // verbs that another verb has woken
	begun        uint64       // executions so far
	recording    bool         // records are being read to be kept
	running      int          // executions now
}

// noteDefect logs that a call has panicked, if it has.
func (x *Executor) noteDefect(verb *verbs.Verb, account verbs.Account) {
	if account.Panic != "" {
		x.Log.Error("a verb failed; this is a defect of memverbs", "verb", verb.Name, "panic", account.Panic)
	}
}
