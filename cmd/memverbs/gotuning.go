package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// How Go's runtime is set up, unless Go's own environment variables say otherwise.

// garbage is how much of it may be there before it is collected, in percent of
// what is in use: half of Go's own figure. Passing requests on makes none, so
// it is collected rarely all the same; and reading a large structure makes much.
const garbage = 50

// ballast is memory that is never touched, so that the system never provides it. But it
// counts as in use, and so there may be half as much garbage, however little else is. If
// there were none, and little in use, garbage would be collected each two megabytes:
// reading event logs took 1.6 times as long.
var ballast = make([]byte, 32<<20)

// uncounted is how much memory the program may take beside what is counted, in
// bytes: code aside, clients take some of it, and verbs that are small.
const uncounted = 40 << 20

// besides is how many threads run Go code at the same time as the loops: two for
// the collector of garbage and one that provides memory for large structures. If
// there were none, a loop could wait for one of these for ten milliseconds, though
// the system would have let it go first.
const besides = 3

// tuneRuntime sets Go's runtime up for the program.
func (o *options) tuneRuntime() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	o.limitMemory(0)
	if os.Getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) < o.loops+besides {
		runtime.GOMAXPROCS(o.loops + besides)
	}
}

// limitMemory has garbage collected earlier the nearer the memory taken comes to what
// may be in use at the same time, when so many bytes of it are used to remember what was
// read. Without that, garbage could be half as much again.
func (o *options) limitMemory(readCache int64) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	limit := int64(o.bufferMemory) + uncounted + int64(len(ballast)) + readCache + int64(o.readCache)/8
	if o.embedded() {
		limit += 2 * int64(o.embeddedMemory)
	}
	debug.SetMemoryLimit(limit)
	runtime.KeepAlive(ballast)
}
