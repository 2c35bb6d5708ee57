package execution

import (
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Of the verbs that wait for memory and whose client is gone, those go on for which the verbs of other clients wait.
func TestGoneThatServeGoOn(t *testing.T) {
	for _, serves := range []bool{false, true} {
		var q reservations
		c := &Caller{}
		verb := &verbs.Verb{Run: func(call *verbs.Call) verbs.Step {
			call.Serves = serves
			return call.Asks(nil, verbs.Op{Kind: verbs.Fetch, Key: []byte("k")})
		}}
		r := &Execution{caller: c, routine: verbs.NewRoutine(nil)}
		r.routine.Start(verb, &protocol.Request{Key: []byte("k")})
		c.wants.insert(r)
		q.enqueue(c)
		q.gone = append(q.gone, c)
		if refused := len(q.ofGone()) > 0; refused == serves || (q.queue.len() > 0) != serves || len(q.gone) > 0 {
			t.Errorf("it serves others: %v, and is refused: %v; %d clients wait", serves, refused, q.queue.len())
		}
	}
}
