package tasks

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure"
)

// memcached evicts what nobody has read for long. The queue is read all the time, while the
// content of a task that is due tomorrow is not, so it would be evicted first. So every take
// looks at the contents of a few tasks that are not due, chosen at random: memcached takes that
// for use.

// looked is how many that are.
const looked = 2

// sample returns the puts of a few tasks, chosen at random.
func (c taskCall) sample(q *Queue) (puts [][]byte) {
	for range looked {
		if t := &q.tasks[q.due[c.Random(len(q.due))]]; t.when > c.Env.Now() {
			puts = append(puts, bytes.Clone(t.put(q.log)))
		}
	}
	return puts
}

// missing returns those puts whose contents were not found, as replies say.
func (c taskCall) missing(puts [][]byte, replies []verbs.Reply) (lost [][]byte) {
	for i, put := range puts {
		if replies[i].Status == verbs.Missing {
			lost = append(lost, put)
		}
	}
	return lost
}

// lose drops a task whose content is missing. If the queue still has it, memcached has evicted
// its content, which is counted and logged.
func (c taskCall) lose(put []byte) {
	q, _ := c.Read(c.LoadOne(c.Key, structure.Sampled)).(*Queue)
	there := q != nil && q.find(put) != nil
	c.GiveBack()
	if there && c.AppendExisting(appendDrop(nil, put)).Status == verbs.Stored {
		c.Env.(structure.Env).NoteLost(appendContentKey(nil, c.Key, put), "task")
	}
}
