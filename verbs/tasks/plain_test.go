package tasks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// plain is the plain model of a queue: its tasks, each found by looking at all.
type plain []plainTask

type plainTask struct {
	put, id     string
	when, until int64
	attempts    int64
	nonce       string
}

// apply returns the queue after the tokens of a log.
func (p plain) apply(log string) plain {
	p = slices.Clone(p)
	for _, token := range verbtest.Words(log) {
		if len(token) < 4 || token[0] != letter {
			continue
		}
		p = p.token(token[1], token[2:])
	}
	return p
}

func (p plain) token(sign byte, text string) plain {
	without := func(drop func(plainTask) bool) plain { return slices.DeleteFunc(p, drop) }
	change := func(put string, do func(t *plainTask)) plain {
		for i := range p {
			if p[i].put == put {
				do(&p[i])
			}
		}
		return p
	}
	words := strings.Split(text, ".")
	switch sign {
	case signPut, signState:
		head, rest, _ := strings.Cut(text, ":")
		put, id, _ := strings.Cut(rest, ":")
		t := plainTask{put: put, id: id}
		if words := strings.Split(head, "."); len(words) == 4 {
			t.when, t.attempts, t.until, t.nonce = number(words[0]), number(words[1]), number(words[2]), words[3]
		} else {
			t.when = number(head)
		}
		return append(without(func(of plainTask) bool { return of.put == put || of.id == id }), t)
	case signTake:
		return change(words[0], func(t *plainTask) {
			if n, from := number(words[1]), number(words[2]); n == t.attempts+1 && from >= t.when && from >= t.until {
				t.attempts, t.until, t.nonce = n, number(words[3]), words[4]
			}
		})
	case signKeep, signRetry:
		return change(words[0], func(t *plainTask) {
			switch {
			case number(words[1]) != t.attempts:
			case sign == signKeep:
				t.until = max(t.until, number(words[2]))
			default:
				t.when, t.until = number(words[2]), 0
			}
		})
	}
	if id, ok := strings.CutPrefix(text, ":"); ok {
		return without(func(of plainTask) bool { return of.id == id })
	}
	return without(func(of plainTask) bool {
		return of.put == words[0] && (len(words) == 1 || number(words[1]) == of.attempts)
	})
}

func number(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

// text returns the tasks as text, in the order in which they can be taken.
func (p plain) text() (text []string) {
	p = slices.Clone(p)
	slices.SortStableFunc(p, func(a, b plainTask) int { return cmp.Compare(max(a.when, a.until), max(b.when, b.until)) })
	for _, t := range p {
		text = append(text, fmt.Sprintf("%016d %s %s %d %d %d %s", max(t.when, t.until), t.id, t.put, t.when, t.until, t.attempts, t.nonce))
	}
	return text
}

// text returns the tasks of q likewise.
func (q *Queue) text(t testing.TB) (text []string) {
	t.Helper()
	last := int64(-1)
	for of := range q.inOrder(nil) {
		if of.at() < last {
			t.Fatalf("of %q a task can be taken at %d, after one at %d", q.log, of.at(), last)
		}
		last = of.at()
		nonce := []byte(nil)
		if of.attempts > 0 {
			nonce = of.nonce(q.log)
		}
		text = append(text, fmt.Sprintf("%016d %s %s %d %d %d %s", of.at(), q.id(of), of.put(q.log), of.when, of.until, of.attempts, nonce))
		if q.find(of.put(q.log)) != of || q.withID(q.id(of)) != of {
			t.Fatalf("%s is not found in %q", q.id(of), q.log)
		}
	}
	if len(text) != q.Live() {
		t.Fatalf("of %d tasks %d are listed", q.Live(), len(text))
	}
	return text
}

// read reads a log.
func read(t testing.TB, q *Queue, log string) {
	t.Helper()
	if !q.Read(nil, []byte(log), 0) {
		t.Fatalf("%.300q is no queue", log)
	}
}

// words returns how many tokens a log has.
func words(log string) int { return len(verbtest.Words(log)) }
