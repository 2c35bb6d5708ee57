package tasks

import (
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// tasklist answers with the tasks, in the order in which they can be taken.
var tasklist = verbs.Verb{
	Verb:  protocol.Verb{Name: "tasklist", Usage: "<queue> [<first> [<last>]]", Read: readList},
	Does:  "lists the tasks of a queue by the time at which they can be taken, from first to last: milliseconds since 1970, 0 for now, - and + for no bound",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<queue>[/<first>[/<last>]]", Times: 2, Bounds: true, Listed: true},
	Run:   onQueue(taskCall.list),
}

func (c taskCall) list() {
	s, q := c.readQueue(structure.Sampled)
	if q == nil {
		return
	}
	compaction := c.Compaction(nil, s)
	first, last := c.bound(0, beforeAll), c.bound(1, afterAll)
	pace := q.paceFor(&c.Pace)
	for t := range q.inOrder(pace) {
		if t.at() > last {
			break
		}
		if t.at() < first {
			continue
		}
		if c.TooLong(lineSize + longestState) {
			break
		}
		if most := lineSize + longestState; cap(c.Answer)-len(c.Answer) < most { // so that append does not copy a long answer at once
			c.Answer = verbs.Grow(pace, c.Answer, max(most, len(c.Answer)))
		}
		c.appendTask(t, q.id(t))
	}
	if !c.Answered() {
		c.End()
	}
	c.AfterRead(compaction)
}

// longestState is the most bytes of what tasklist says of a task.
const longestState = 3*len("9007199254740992 ") + len("\r\n")

// appendTask appends the state of a task: when it is due, how often it was attempted, and until
// when it is held.
func (c taskCall) appendTask(t *task, id []byte) {
	state := strconv.AppendInt(make([]byte, 0, longestState), t.when, 10)
	state = strconv.AppendUint(append(state, ' '), uint64(t.attempts), 10)
	state = strconv.AppendInt(append(state, ' '), t.until, 10)
	c.AppendItem(id, 0, state, nil)
}

// tasklen answers with the number of tasks, held ones included.
var tasklen = structure.Tells(verbs.Verb{
	Verb:  protocol.Verb{Name: "tasklen", Usage: "<queue>", Read: verbs.ReadOneKey},
	Does:  "answers with the number of tasks of a queue",
	Reads: true, ReadOnly: true,
	Carry: &verbs.Carry{By: protocol.Get, Shape: "<queue>"},
}, &Kind, structure.TellLive)
