package tasks

import "github.com/memverbs/memverbs/verbs/structure/format"

// some applies the tokens of the log from index from to index to, where all before from were
// applied. A token that does not end before to is left for later.
func (q *Queue) some(from, to int) {
	for i := from; i < to; i++ {
		if c := q.log[i]; c <= ' ' && format.Space(c) {
			q.word(i)
		}
	}
}

// word applies the token that ends at index end.
func (q *Queue) word(end int) {
	word := q.log[q.start:end]
	at := q.start
	q.start = end + 1
	if len(word) == 0 || q.bad {
		return
	}
	q.tokens++
	switch {
	case len(word) == 1 && word[0] == letter:
	case format.Foreign(word, letter):
		q.foreign++
	case len(word) < shortestToken, word[0] != letter, !q.apply(word[1], reader{text: word[2:], at: uint32(at + 2)}):
		q.bad = true
	}
}

// apply applies a token, given its sign and a reader of the rest. It returns false if that is
// no token.
func (q *Queue) apply(sign byte, r reader) bool {
	switch sign {
	case signPut, signState:
		return q.applyPut(sign, &r)
	case signTake:
		return q.applyTake(&r)
	case signKeep, signRetry:
		at := r.put()
		r.skip('.')
		n := r.attempt('.')
		time := r.time(0)
		if !r.bad {
			q.putOff(q.taskOf(at), n, sign == signKeep, time)
		}
	case signEnd:
		return q.applyEnd(&r)
	default:
		return false
	}
	return !r.bad
}

func (q *Queue) applyPut(sign byte, r *reader) bool {
	var t task
	if sign == signPut {
		t.when = r.time(':')
	} else {
		t.when, t.attempts, t.until = r.time('.'), r.attempt('.'), r.time('.')
		t.nonceAt = r.nonce()
		r.skip(':')
	}
	t.putAt = r.put()
	r.skip(':')
	if r.bad || len(r.text) == 0 {
		return false
	}
	q.put(&t, r.at, r.at+uint32(len(r.text)))
	return true
}

func (q *Queue) applyTake(r *reader) bool {
	at := r.put()
	r.skip('.')
	n, from, until := r.attempt('.'), r.time('.'), r.time('.')
	nonce := r.nonce()
	if r.bad || len(r.text) > 0 {
		return false
	}
	q.take(q.taskOf(at), n, from, until, nonce)
	return true
}

func (q *Queue) applyEnd(r *reader) bool {
	if r.text[0] == ':' {
		r.skip(':')
		q.dropID(r.at, r.at+uint32(len(r.text)))
		return true
	}
	at := r.put()
	if !r.bad && len(r.text) == 0 {
		q.drop(q.taskOf(at))
		return true
	}
	r.skip('.')
	n := r.attempt(0)
	if !r.bad {
		q.end(q.taskOf(at), n)
	}
	return !r.bad
}
