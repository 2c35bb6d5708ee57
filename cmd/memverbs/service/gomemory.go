package service

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/proxy/config"
)

// The settings of Go's runtime, unless Go's own environment variables override them.

// garbage is the GC percentage, half of Go's default: how much garbage may accumulate,
// in percent of the memory in use. Forwarding requests makes no garbage, so collections
// are rare all the same, while reading a large structure makes much.
const garbage = 50

// garbageAtFirst is the GC percentage until the first verb, unless there is the embedded store. Nearly all garbage comes from
// accepting clients then, of which thousands take most of the memory. It is low because the ballast counts, too.
const garbageAtFirst = 7

// ballast is memory that is never touched, so the system does not provide it, but Go counts it as in use. So
// garbage of half its size may accumulate even if little else is in use. Without it there could be a
// collection for every two megabytes: reading event logs took 1.6 times as long.
var ballast atomic.Pointer[[ballastSize]byte]

// ballastSize is the size of the ballast, in bytes.
const ballastSize = 32 << 20

// newBallast allocates the ballast. Go clears memory that was in use before, so it is called when the program starts, and the
// system takes back what was cleared.
func newBallast() *[ballastSize]byte {
	b := new([ballastSize]byte)
	_ = unix.Madvise(b[:], unix.MADV_DONTNEED)
	return b
}

// uncounted is how much memory the program may use, in bytes, that no budget counts: for clients
// and small verbs, for the code, and for what is allocated during a collection.
const uncounted = 32 << 20

// besides is how many threads may run Go code in addition to the loops once there is long work
// outside the loops: two for the garbage collector and one that allocates memory for large
// structures. Without them, a loop could wait ten milliseconds for such a goroutine in Go's
// scheduler, although the system would have run the loop at once.
const besides = 3

// tuneRuntime applies the settings that are valid from the start, and sets functions in the configuration c that
// change the others later.
func tuneRuntime(s *settings.All, c *config.Config) {
	ballast.Store(newBallast())
	if s.Embedded > 0 {
		allowGarbage(garbage)
	} else {
		allowGarbage(garbageAtFirst)
	}
	limitMemory(s, 0)
	c.ReadCacheUsed = func(bytes int64) { limitMemory(s, bytes) }
	c.FirstVerb = func() { allowGarbage(garbage) }
	c.WorksBeside = func() { worksBeside(s) }
}

// allowGarbage sets the GC percentage.
func allowGarbage(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// worksBeside lets that many more threads run. It is called only when they are needed, which for
// plain commands is never, because they have a cost: Go moves the loops from thread to thread, and wakes
// threads that find no work. With 50 connections that takes a fifth more processor time.
func worksBeside(s *settings.All) {
	if os.Getenv("GOMAXPROCS") == "" && runtime.GOMAXPROCS(0) < s.Loops+besides {
		runtime.GOMAXPROCS(s.Loops + besides)
	}
}

// limitMemory sets Go's memory limit to the most memory that may be in use, if the read
// cache uses readCache bytes now. Near that limit garbage is collected earlier. Without
// it garbage could take half as much again. Only verbs use the read cache.
func limitMemory(s *settings.All, readCache int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(s.BufferMemory) + uncounted + ballastSize + readCache + int64(s.ReadCache)/8 + 2*int64(s.Embedded))
	}
}
