package execution

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
	waits        waits
	woken        []*Execution // verbs that another verb has woken
	begun        uint64       // executions so far
	recording    bool         // records are being read to be kept
	running      int          // executions now
}
