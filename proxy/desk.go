package proxy

import (
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
)

// desk is where requests for statistics wait. Those that come soon after each other are answered
// together: statistics cost all loops, and the upstreams, far more than their request does, so
// clients that ask for nothing else would keep the loops from serving others. A client has one
// request here at most, since its next one is read when this was answered.
type desk struct {
	mu      sync.Mutex
	waiting map[question][]func(text string)
	opened  time.Time // for the last time
	opens   bool      // it will be opened soon
}

// question is what a client of a listener has asked for: the argument of stats.
type question struct {
	at   *config.Socket
	what string
}

// deskPause is the least time between two answers to the same question.
const deskPause = 10 * time.Millisecond

// ask makes a request wait. open is called soon, or now, with all that wait.
func (d *desk) ask(what question, answer func(text string), open func(map[question][]func(text string))) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting == nil {
		d.waiting = map[question][]func(text string){}
	}
	d.waiting[what] = append(d.waiting[what], answer)
	if !d.opens {
		d.opens = true
		time.AfterFunc(deskPause-min(deskPause, time.Since(d.opened)), func() { open(d.open()) })
	}
}

// open returns the requests that wait, which wait no longer.
func (d *desk) open() map[question][]func(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.waiting
	d.waiting, d.opened, d.opens = nil, time.Now(), false
	return all
}
