package tasks

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// taskmove gives a task that nobody holds another time.
var taskmove = verbs.Verb{
	Verb:  protocol.Verb{Name: "taskmove", Usage: "<queue> <id> <when> [noreply]", Read: readMove},
	Does:  "lets the task with an id be due at <when> instead, unless somebody holds it",
	Reads: true,
	Carry: &verbs.Carry{By: protocol.Set, Value: verbs.WordsValue, Shape: "<queue>/<id>", Words: 1},
	Run:   onQueue(taskCall.move),
}

// move puts the task anew, under its old name and with its attempts, only if the queue has not changed since the task
// was found not to be held. So its content and its last stamp remain its own, and among the tasks of its new time
// it is the last.
func (c taskCall) move() {
	id, when, answer := c.Word(0), c.time(1), ""
	r := c.Decide(false, func(_ *verbs.Pace, fold format.Fold) (choice structure.Choice) {
		q := fold.(*Queue)
		switch t := q.withID(id); {
		case t == nil:
			answer = "NOT_FOUND"
		case t.until > c.Env.Now():
			answer = "EXISTS"
		default:
			moved := *t
			moved.when, moved.until = when, 0
			choice.Tokens, answer = appendTask(nil, &moved, q.log, id), "STORED"
		}
		return choice
	}, nil)
	c.tell(r, answer)
	c.TidyDecided(r)
}
