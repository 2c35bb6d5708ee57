package transport

import (
	"runtime"
	"time"
)

// yielding says when a loop lets other goroutines go on, before it waits.
type yielding struct {
	loops  int       // how many loops there are
	each   bool      // it does so each time
	looked time.Time // when that was found out last
}

// yieldEvery is how often a loop lets other goroutines go on at least. After 10 ms without that, Go's scheduler would interrupt the
// loop, and take much longer to calm down.
const yieldEvery = 5 * time.Millisecond

// yield lets other goroutines go on: each time if no more goroutines than the loops may run at once, which may change, as what a
// loop has others do would otherwise begin only when the scheduler notices that the loop waits; else now and then, since the
// scheduler would wake another thread each time.
func (y *yielding) yield() {
	if now := time.Now(); now.Sub(y.looked) >= yieldEvery {
		y.looked, y.each = now, y.loops >= runtime.GOMAXPROCS(0)
	} else if !y.each {
		return
	}
	runtime.Gosched()
}
