package verbs

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// What one client pops in a row is decided together, though each pop depends on those
// before it, and is in order with what else the client asks for.
func TestPopsOfOneClientAreDecidedTogether(t *testing.T) {
	t.Parallel()
	const members = 100
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr)
	c := harness.Dial(t, m.Addr)
	for i := range members {
		c.Ask(fmt.Sprintf("sadd s m%02d\r\n", i), "STORED\r\n")
	}
	before := store.Stats()["cmd_set"]

	c.Send(strings.Repeat("spop s\r\n", members) + "spop s\r\nsadd s late\r\nspop s\r\nscard s\r\n")
	popped := map[string]bool{}
	for range members {
		c.Expect("VALUE s 0 3\r\n")
		popped[c.Line()] = true
		c.Expect("END\r\n")
	}
	c.Expect("VALUE s 0 0\r\n\r\nEND\r\nSTORED\r\nVALUE s 0 4\r\nlate\r\nEND\r\n0\r\n")
	if len(popped) != members {
		t.Errorf("%d pops gave %d members", members, len(popped))
	}
	// The first, those that wait for it, the addition and the last; a few more if the
	// requests did not arrive in one piece.
	if after := store.Stats()["cmd_set"]; harness.Difference(after, before) > members/4 {
		t.Errorf("%s sets were %s before %d pops", after, before, members+2)
	}
}

// Pops of a list at either end are in the order in which one client asks for them.
func TestPopsOfListOfOneClientAreInOrder(t *testing.T) {
	t.Parallel()
	const elements = 300
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--structure-item-size", "4KB")
	var requests, replies strings.Builder
	for i := range elements {
		fmt.Fprintf(&requests, "rpush l e%03d\r\n", i)
		replies.WriteString("STORED\r\n")
	}
	pop := func(verb string, element int) {
		requests.WriteString(verb + " l\r\n")
		fmt.Fprintf(&replies, "VALUE l 0 4\r\ne%03d\r\nEND\r\n", element)
	}
	for i := range elements / 3 {
		pop("lpop", i)
	}
	for i := range elements / 3 {
		pop("rpop", elements-1-i)
	}
	requests.WriteString("rpush l last\r\nlpop l 17\r\n") // so many are decided alone
	fmt.Fprintf(&replies, "STORED\r\nVALUE l 0 84\r\n")
	for i := range 17 {
		fmt.Fprintf(&replies, "e%03d ", elements/3+i)
	}
	text := strings.TrimSuffix(replies.String(), " ") + "\r\nEND\r\n"
	replies.Reset()
	replies.WriteString(text)
	for i := range elements/3 - 17 {
		pop("lpop", elements/3+17+i)
	}
	requests.WriteString("lpop l\r\nlpop l\r\n")
	replies.WriteString("VALUE l 0 4\r\nlast\r\nEND\r\nVALUE l 0 0\r\n\r\nEND\r\n")
	harness.Dial(t, m.Addr).Ask(requests.String(), replies.String())
}

// A client that pops from a list without a pause does not keep others from pushing to it.
func TestPopsWithoutAPauseLetOthersPush(t *testing.T) {
	t.Parallel()
	const batch, most = 100, 50_000
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "1", "--timeout", "20s")
	pusher, popper := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
	pusher.Ask("rpush l e\r\nlpop l\r\n", "STORED\r\nVALUE l 0 1\r\ne\r\nEND\r\n") // which leaves it empty
	var pushed atomic.Bool
	go func() {
		for n := 0; n < most && !pushed.Load(); n += batch {
			popper.Send(strings.Repeat("lpop l\r\n", batch))
		}
		popper.Send("mn\r\n")
	}()
	for n := 0; ; n++ {
		if n == batch {
			pusher.Send("rpush l e\r\n")
		}
		line := popper.Line()
		if line == "MN" {
			break
		}
		if line == "VALUE l 0 1" {
			pushed.Store(true)
			popper.Expect("e")
		}
		popper.Expect("\r\nEND\r\n")
	}
	if !pushed.Load() {
		t.Errorf("a push is not done after %d pops", most)
	}
	pusher.Expect("STORED\r\n")
}

// Pushes of others are taken along by pops that come without a pause: each is done after few of
// these, and its element is popped once, in order. A busy machine may hold up the one who pushes for a second.
func TestPopsTakePushesAlong(t *testing.T) {
	t.Parallel()
	const batch, most, elements = 100, 400_000, 50
	store := harness.StartMemcached(t, "1.6.38")
	m := harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "1", "--timeout", "20s")
	pusher, popper := harness.Dial(t, m.Addr), harness.Dial(t, m.Addr)
	pusher.Ask("rpush l e\r\nlpop l\r\n", "STORED\r\nVALUE l 0 1\r\ne\r\nEND\r\n")
	var done atomic.Bool
	go func() {
		for n := 0; n < most && !done.Load(); n += batch {
			popper.Send(strings.Repeat("lpop l\r\n", batch))
		}
		popper.Send("mn\r\n")
	}()
	pushed := make(chan struct{})
	go func() {
		defer close(pushed)
		for i := range elements {
			pusher.Ask(fmt.Sprintf("rpush l e%02d\r\n", i), "STORED\r\n")
		}
		done.Store(true)
	}()
	popped := 0
	for line := popper.Line(); line != "MN"; line = popper.Line() {
		if line == "VALUE l 0 3" {
			popper.Expect(fmt.Sprintf("e%02d", popped))
			popped++
		}
		popper.Expect("\r\nEND\r\n")
	}
	inTime := done.Load()
	<-pushed
	for ; popped < elements; popped++ {
		popper.Ask("lpop l\r\n", fmt.Sprintf("VALUE l 0 3\r\ne%02d\r\nEND\r\n", popped))
	}
	if !inTime {
		t.Errorf("%d pushes, one after another, are not done after %d pops", elements, most)
	}
}

// Pops of one client that take memory each don't wait for one another: tidying up after one of them
// holds none while it waits for its turn.
func TestLargePopsOfOneClient(t *testing.T) {
	t.Parallel()
	const elements, pops, each = 5000, 5, 500
	for _, verbs := range [][2]string{{"rpush", "lpop"}, {"rpush", "rpop"}, {"sadd", "spop"}} {
		add, pop := verbs[0], verbs[1]
		t.Run(pop, func(t *testing.T) {
			t.Parallel()
			store := harness.StartMemcached(t, "1.6.38")
			c := harness.Dial(t, harness.StartMemverbs(t, "--upstream", store.Addr, "--loops", "1").Addr)
			for i := 0; i < elements; i += 50 {
				request := add + " k"
				for j := range 50 {
					request += fmt.Sprintf(" %04d.%0100d", i+j, 0)
				}
				c.Ask(request+"\r\n", "STORED\r\n")
			}
			c.Send(strings.Repeat(fmt.Sprintf("%s k %d\r\n", pop, each), pops))
			for range pops {
				c.Expect("VALUE k 0 ")
				c.Line()
				if n := len(strings.Fields(c.Line())); n != each {
					t.Errorf("%d elements, expected %d", n, each)
				}
				c.Expect("END\r\n")
			}
		})
	}
}
