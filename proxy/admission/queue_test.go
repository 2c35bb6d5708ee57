package admission

import (
	"slices"
	"testing"
)

// stock is a resource of which each request takes one piece, or all the pieces it
// needs.
type stock struct{ left int }

func (s *stock) Has(w *Waiter) bool { return s.left >= max(1, w.Memory) }

// customer takes from the stock when it is served.
type customer struct {
	Waiter
	name   string
	stock  *stock
	queue  *Queue
	served *[]string
}

func (c *customer) Proceed() {
	if c.Gone || !c.queue.Admits(&c.Waiter) {
		return
	}
	c.stock.left -= max(1, c.Memory)
	*c.served = append(*c.served, c.name)
}

func (c *customer) Refuse(why string) { *c.served = append(*c.served, c.name+": "+why) }

// shop returns customers with names, and the queue in which they wait for the stock.
func shop(names ...string) (customers []*customer, of *stock, queues *Queues, served *[]string) {
	of, queues, served = &stock{}, &Queues{}, &[]string{}
	q := &Queue{}
	q.Init(queues, of)
	for _, name := range names {
		c := &customer{name: name, stock: of, queue: q, served: served}
		c.Owner = c
		customers = append(customers, c)
	}
	return customers, of, queues, served
}

// Waiters are served in turn, as far as the stock suffices, and later ones do not
// overtake.
func TestWaitersAreServedInTurn(t *testing.T) {
	all, of, queues, served := shop("one", "two", "three", "late")
	for _, c := range all[:3] {
		c.Proceed()
	}
	if queues.Serve() || all[0].queue.Len() != 3 {
		t.Fatalf("%q were served without stock, %d wait", *served, all[0].queue.Len())
	}
	of.left = 3
	all[3].Proceed() // there is stock, but others wait
	if !queues.Serve() || !slices.Equal(*served, []string{"one", "two", "three"}) {
		t.Fatalf("%q were served", *served)
	}
	of.left = 1
	if !queues.Serve() || queues.Len() != 0 || (*served)[3] != "late" {
		t.Fatalf("%q were served, and there are %d queues", *served, queues.Len())
	}
}

// A waiter that was served may send a share of requests before others, and then queues
// again.
func TestShareIsLimited(t *testing.T) {
	all, of, queues, served := shop("greedy", "patient")
	for _, c := range all {
		c.Proceed()
	}
	of.left = 1
	queues.Serve()
	for all[0].Share > 0 {
		of.left = 1
		all[0].Proceed()
		all[0].Share--
	}
	of.left = 1
	all[0].Proceed()
	if queues.Serve(); (*served)[len(*served)-1] != "patient" || len(*served) != 2+share {
		t.Errorf("%q were served", *served)
	}
}

// A waiter that is gone does not delay those after it, and one that joins another queue
// leaves the first.
func TestGoneAndMovedWaiters(t *testing.T) {
	all, of, queues, served := shop("large", "small", "moved")
	all[0].Memory = 100
	for _, c := range all {
		c.Proceed()
	}
	other := &Queue{}
	other.Init(queues, &stock{})
	if other.Admits(&all[2].Waiter); all[0].queue.Len() != 2 || other.Len() != 1 {
		t.Fatalf("%d and %d wait", all[0].queue.Len(), other.Len())
	}
	all[0].Gone, of.left = true, 10
	if queues.Serve(); !slices.Equal(*served, []string{"small"}) || queues.Len() != 1 {
		t.Errorf("%q were served, and there are %d queues", *served, queues.Len())
	}
}

// Waiters are refused until that is enough, and those who are gone are told
// nothing.
func TestRefusedWaiters(t *testing.T) {
	all, of, queues, served := shop("gone", "large", "small", "next")
	all[1].Memory = 100
	for _, c := range all {
		c.Proceed()
	}
	all[0].Gone, of.left = true, 1
	all[0].queue.Refuse("no", func() bool { return of.left >= all[0].queue.waiters[0].Memory })
	if !slices.Equal(*served, []string{"large: no"}) || all[0].queue.Len() != 2 {
		t.Fatalf("%q, and %d wait", *served, all[0].queue.Len())
	}
	if queues.Serve(); !slices.Equal(*served, []string{"large: no", "small"}) || all[0].queue.Len() != 1 {
		t.Errorf("%q, and %d wait", *served, all[0].queue.Len())
	}
}
