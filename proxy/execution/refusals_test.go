package execution

import (
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/verbs"
)

// newAppending returns an executor that carries out no more than appends to the item key, which is held
// so that nothing is sent, and a function that makes a verb of a client that appends data.
func newAppending(t *testing.T, key []byte) (x *Executor, push func(c *Caller, number uint64, data string) *Execution) {
	x, _ = newLogging()
	x.Clock = clock.New(time.Hour, func(func()) bool { return true }, func() bool { return false })
	t.Cleanup(x.Clock.Stop)
	x.appends = appends{core: &x.core, env: &x.env, queues: newAppendQueues()}
	x.appends.Hold(key, key, true)
	return x, func(c *Caller, number uint64, data string) *Execution {
		r := &Execution{executor: x, target: target{owner: x.Pool.All[0], key: key}, caller: c, number: number,
			trip: trip{ops: []verbs.Op{{Kind: verbs.AppendOrCreate, Key: key, Data: []byte(data)}}}}
		c.add(r)
		x.appends.enqueue(r, 0)
		return r
	}
}

// An append is not taken along before an earlier one of the same client, which was refused because the
// item is full, and whose verb settles the item. That of another client is.
func TestAppendsDontOvertakeARefusedOne(t *testing.T) {
	key, client := []byte("k"), &Caller{}
	x, push := newAppending(t, key)
	q := x.appends.queueOf(key, key)
	first := push(client, 1, "l>a ")
	q.waiting = q.flight.fill(q.waiting, 1) // as if it had been sent
	q.flight.state = sent
	push(&Caller{}, 2, "l>b ")
	push(client, 3, "l>c ")
	push(&Caller{}, 4, "l>d ")
	q.flight.state = answered
	q.flight.end()
	first.setRefused(key)
	if tokens := string(x.appends.TakeAlong(key, key, 1000)); tokens != "l>b " {
		t.Errorf("%q was taken along while the client's first append was refused", tokens)
	}
	x.appends.TookAlong(key, key, verbs.Reply{Status: verbs.Stored})
	x.appends.enqueue(first, 0)
	if tokens := string(x.appends.TakeAlong(key, key, 1000)); tokens != "l>a l>c l>d " {
		t.Errorf("%q was taken along once the client's first append was queued again", tokens)
	}
}

// Others go on if the verb ends without another try.
func TestEndedRefusalLetsOthersGoOn(t *testing.T) {
	key, client := []byte("k"), &Caller{}
	x, push := newAppending(t, key)
	first := push(client, 1, "l>a ")
	q := x.appends.queueOf(key, key)
	q.waiting = nil
	first.setRefused(key)
	second := push(client, 2, "l>b ")
	if !second.overtakes(key) {
		t.Error("the second append may overtake the first")
	}
	first.endRefusal()
	if second.overtakes(key) || len(x.appends.freed) != 1 || client.refused != 0 {
		t.Errorf("%d queues go on, %d verbs are refused", len(x.appends.freed), client.refused)
	}
}

// A verb that waits for another one is not counted as one that reads, or few that wait would keep verbs
// on other structures from beginning.
func TestVerbThatWaitsReadsNothing(t *testing.T) {
	x, _ := newLogging()
	owner := x.Pool.All[0]
	owner.Verbs.Learn(50_000)
	guess := owner.Verbs.Guess()
	r := &Execution{executor: x, target: target{owner: owner}, reading: reading{expects: guess}}
	owner.Verbs.Reading = guess
	var w verbs.Waiter
	if r.local(&verbs.Op{Kind: verbs.Wait, Waiter: &w}); owner.Verbs.Reading != 0 || owner.Verbs.Guess() != guess {
		t.Errorf("%d bytes are to be read, and %d are guessed", owner.Verbs.Reading, owner.Verbs.Guess())
	}
}
