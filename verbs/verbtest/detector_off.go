//go:build !race

package verbtest

// underDetector says that the race detector is on. A schedule runs one goroutine at a time, so
// it finds little there and takes ten times as long. So fewer schedules are run then; "make
// schedules" runs them all, without it.
const underDetector = false
