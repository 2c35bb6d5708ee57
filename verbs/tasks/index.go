package tasks

import (
	"bytes"
	"hash/maphash"

	"github.com/memverbs/memverbs/verbs"
)

// Tasks are found by their puts, and names by their ids, in hash tables with linear probing, at
// most half full. The slots are 1 + an index, or 0. Nothing is ever removed from the tables: every
// put and id that the log names keeps its slot.

// seed is random for every process, so that nobody can construct ids that collide.
var seed = maphash.MakeSeed()

func hash(text []byte) uint32 { return uint32(maphash.Bytes(seed, text)) }

// fits reports whether the tables are large enough for so many more tasks and names.
func (q *Queue) fits(more int) bool {
	return 2*(len(q.tasks)+more) <= len(q.byPut) && 2*(len(q.names)+more) <= len(q.byName)
}

// putSlot returns the slot of a put, or the free slot where it belongs.
func (q *Queue) putSlot(hash uint32, put []byte) *uint32 {
	return verbs.SlotIn(q.byPut, hash, func(slot uint32) bool {
		t := &q.tasks[slot-1]
		return t.hash == hash && bytes.Equal(t.put(q.log), put)
	})
}

// nameSlot returns the slot of an id, or the free slot where it belongs.
func (q *Queue) nameSlot(hash uint32, id []byte) *uint32 {
	return verbs.SlotIn(q.byName, hash, func(slot uint32) bool {
		n := &q.names[slot-1]
		return n.hash == hash && bytes.Equal(n.id(q.log), id)
	})
}

// taskOf returns the index of the task whose put is at an index of the log. If there is none, it
// makes one that is not in the queue.
func (q *Queue) taskOf(at uint32) uint32 {
	slot, hash := q.slotAt(at)
	if *slot == 0 {
		q.tasks = append(q.tasks, task{hash: hash, putAt: at})
		*slot = uint32(len(q.tasks))
	}
	return *slot - 1
}

// slotAt returns the slot of the put that is at an index of the log, after growing the table if
// necessary.
func (q *Queue) slotAt(at uint32) (slot *uint32, h uint32) {
	if 2*(len(q.tasks)+1) > len(q.byPut) {
		q.byPut = verbs.ClearTable(nil, q.byPut, 2*len(q.tasks))
		for i := range q.tasks {
			*q.putSlot(q.tasks[i].hash, q.tasks[i].put(q.log)) = uint32(i + 1)
		}
	}
	put := q.log[at : at+putSize]
	h = hash(put)
	return q.putSlot(h, put), h
}

// nameOf returns the index of the name whose id is log[from:to]. If there is none, it makes one.
func (q *Queue) nameOf(from, to uint32) uint32 {
	id := q.log[from:to]
	if 2*(len(q.names)+1) > len(q.byName) {
		q.byName = verbs.ClearTable(nil, q.byName, 2*len(q.names))
		for i := range q.names {
			*q.nameSlot(q.names[i].hash, q.names[i].id(q.log)) = uint32(i + 1)
		}
	}
	h := hash(id)
	slot := q.nameSlot(h, id)
	if *slot == 0 {
		q.names = append(q.names, name{from: from, to: to, hash: h})
		*slot = uint32(len(q.names))
	}
	return *slot - 1
}

// find returns the task of a put, nil if the queue does not have it now.
func (q *Queue) find(put []byte) *task {
	if len(q.byPut) == 0 {
		return nil
	}
	if slot := *q.putSlot(hash(put), put); slot > 0 && q.tasks[slot-1].there() {
		return &q.tasks[slot-1]
	}
	return nil
}

// withID returns the task with an id, nil if there is none.
func (q *Queue) withID(id []byte) *task {
	if len(q.byName) == 0 {
		return nil
	}
	if slot := *q.nameSlot(hash(id), id); slot > 0 && q.names[slot-1].task > 0 {
		return &q.tasks[q.names[slot-1].task-1]
	}
	return nil
}

// id returns the id of a task that is in the queue.
func (q *Queue) id(t *task) []byte { return q.names[t.name].id(q.log) }
