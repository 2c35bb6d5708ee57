package report

import (
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
)

// Desk is where requests for statistics wait, so that those that arrive soon after each other are
// answered together. Statistics are cheap to ask for, but take time of all loops and of the
// upstreams, so clients that ask for nothing else would keep the loops from serving others. A
// client has at most one request here: its next request is read after the answer.
type Desk struct {
	mu      sync.Mutex
	waiting map[Question][]func(text string)
	opened  time.Time // when it was last opened
	opens   bool      // it is going to be opened
}

// Question is what a client of a listener has asked for: the argument of stats, empty for none.
type Question struct {
	At   *config.Socket
	What string
}

// deskPause is the least time between two answers to the same question.
const deskPause = 10 * time.Millisecond

// Ask makes a request wait. open is called soon, or now, with all that wait.
func (d *Desk) Ask(what Question, answer func(text string), open func(map[Question][]func(text string))) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting == nil {
		d.waiting = map[Question][]func(text string){}
	}
	d.waiting[what] = append(d.waiting[what], answer)
	if !d.opens {
		d.opens = true
		time.AfterFunc(deskPause-min(deskPause, time.Since(d.opened)), func() { open(d.open()) })
	}
}

// open returns the requests that wait, which wait no longer.
func (d *Desk) open() map[Question][]func(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.waiting
	d.waiting, d.opened, d.opens = nil, time.Now(), false
	return all
}

// WillOpen reports whether somebody waits. Tests use it.
func (d *Desk) WillOpen() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.opens
}
