package tasks

import (
	"strconv"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// AppendLog implements [format.Fold].
func (q *Queue) AppendLog(p *verbs.Pace, dst []byte) []byte {
	return q.appendTasks(p, verbs.Grow(p, dst, min(q.LogSize(), len(q.log)+1)))
}

// LogSize implements [format.Sized]. Tokens may be some bytes shorter than what is counted for them.
func (q *Queue) LogSize() int { return q.length }

// appendTasks appends the tokens that put the tasks, in the order of their puts.
func (q *Queue) appendTasks(p *verbs.Pace, dst []byte) []byte {
	p.Each(len(q.tasks), func(from, to int) {
		for i := from; i < to; i++ {
			if t := &q.tasks[i]; t.there() {
				dst = appendTask(dst, t, q.log, q.id(t))
			}
		}
	})
	return dst
}

// appendTask appends the token that puts t with an id, as it is.
func appendTask(dst []byte, t *task, log, id []byte) []byte {
	if t.attempts == 0 {
		return appendPut(dst, t.when, t.put(log), id)
	}
	dst = strconv.AppendInt(append(dst, letter, signState), t.when, 10)
	dst = strconv.AppendUint(append(dst, '.'), uint64(t.attempts), 10)
	dst = strconv.AppendInt(append(dst, '.'), t.until, 10)
	dst = append(append(dst, '.'), t.nonce(log)...)
	dst = append(append(append(dst, ':'), t.put(log)...), ':')
	return append(append(dst, id...), ' ')
}

// AppendNet implements [format.Fold]. The effect of tokens about a task that this log does not put
// depends on the log before, so they are kept as they are, unless the task is dropped after them.
// The order of tokens about different tasks does not matter.
func (q *Queue) AppendNet(p *verbs.Pace, dst []byte) []byte {
	dst = q.appendUnknown(p, verbs.Grow(p, dst, len(q.log)+1))
	p.Each(len(q.names), func(from, to int) {
		for i := from; i < to; i++ {
			if n := &q.names[i]; n.task == 0 {
				dst = appendDropID(dst, n.id(q.log))
			}
		}
	})
	p.Each(len(q.tasks), func(from, to int) {
		for i := from; i < to; i++ {
			if t := &q.tasks[i]; t.gone {
				dst = appendDrop(dst, t.put(q.log))
			}
		}
	})
	return q.appendTasks(p, dst)
}

// appendUnknown appends the tokens about tasks that the log neither puts nor drops.
func (q *Queue) appendUnknown(p *verbs.Pace, dst []byte) []byte {
	start := 0
	word := func(end int) {
		word := q.log[start:end]
		start = end + 1
		if put := concerns(word); put != nil {
			if t := &q.tasks[*q.putSlot(hash(put), put)-1]; !t.gone && !t.there() {
				dst = append(append(dst, word...), ' ')
			}
		}
	}
	p.EachByte(len(q.log), func(from, to int) {
		for at := from; at < to; at++ {
			if c := q.log[at]; c <= ' ' && format.Space(c) {
				word(at)
			}
		}
	})
	word(len(q.log))
	return dst
}

// concerns returns the put that a token changes, nil for one that puts a task, drops one by its
// id, or is of another kind.
func concerns(word []byte) []byte {
	if len(word) < 2+putSize || format.Foreign(word, letter) {
		return nil
	}
	switch word[1] {
	case signPut, signState:
		return nil
	case signEnd:
		if word[2] == ':' {
			return nil
		}
	}
	return word[2 : 2+putSize]
}
