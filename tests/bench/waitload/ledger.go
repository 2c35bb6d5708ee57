//go:build linux

package waitload

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// elementSize is the size of an element, in bytes. It begins with its number.
const elementSize = 100

// Deliveries is the elements that were delivered, and how long each took, from when its push was sent until its client had it.
type Deliveries struct {
	Same  load.Count // to clients of the process to which the element was pushed
	Other load.Count // and of another one
}

// ledger knows all elements.
type ledger struct {
	Deliveries
	pushes  []push // by the element's number
	missing int    // elements that have not been delivered
}

// push is what is known of an element.
type push struct {
	at            int64 // when it was sent
	process, list int
	delivered     bool
}

func newLedger() ledger {
	return ledger{Deliveries: Deliveries{load.NewCount(), load.NewCount()}}
}

// push notes that an element is pushed, and returns it.
func (l *ledger) push(at int64, process, list int) string {
	element := numbered(len(l.pushes))
	l.pushes = append(l.pushes, push{at: at, process: process, list: list})
	l.missing++
	return element
}

// deliver notes that a client of a process, who waits for a list, has got an element.
func (l *ledger) deliver(element []byte, at int64, process, list int) error {
	word, _, _ := strings.Cut(string(element), " ")
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n >= len(l.pushes) || string(element) != numbered(n) {
		return fmt.Errorf("%q was delivered, which was not pushed", element)
	}
	p := &l.pushes[n]
	switch {
	case p.delivered:
		return fmt.Errorf("element %d of list %d was delivered twice", n, p.list)
	case p.list != list:
		return fmt.Errorf("element %d of list %d was delivered to a client of list %d", n, p.list, list)
	}
	p.delivered = true
	l.missing--
	count := &l.Same
	if process != p.process {
		count = &l.Other
	}
	count.Requests++
	return count.Took.RecordValue(at - p.at)
}

// numbered returns the element of that number.
func numbered(n int) string {
	word := strconv.Itoa(n) + " "
	return word + strings.Repeat("e", elementSize-len(word))
}
