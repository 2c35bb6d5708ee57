package structure

// The calls of an event loop remember which structures were full, and how that showed. See full.go.

// fullFor is for how long, in milliseconds, a structure is assumed to be full without reading its
// head again, if a probe shows that the head has not become shorter.
const fullFor = 1000

// After an attempt to settle a structure has failed, the next one waits for stuckRest times as long as
// the attempt took, so that attempts take only a small part of an event loop's time. It waits for at
// least a second, and for at most a minute, since others may have made room meanwhile. Both are in
// milliseconds.
const (
	stuckRest = 10
	stuckMost = 60_000
)

// mostFull is how many full structures an event loop remembers.
const mostFull = 1024

// full is what is remembered of a full structure. Times are by [verbs.Env.Uptime].
type full struct {
	seen  int64 // when its head was read; 0 if never
	size  int   // bytes of that head
	needs int   // bytes of memory that folding it as a whole takes, if no call can have them; else 0
	lacks int   // bytes of memory that removing elements would take if it were longer, if no call can have them; else 0
	stuck int64 // when it could not be settled because the result would be too long; 0 if it could
	rest  int64 // for how long after that, in milliseconds, settling is not tried again
}

// fulls are the full structures that an event loop remembers, by key. The zero value is empty.
type fulls map[string]full

// note remembers a full structure.
func (s *fulls) note(key []byte, what full) {
	if *s == nil || len(*s) >= mostFull {
		*s = fulls{}
	}
	(*s)[string(key)] = what
}

// within reports whether time, 0 for never, was less than milliseconds before now.
func within(time, now, milliseconds int64) bool { return time != 0 && now-time < milliseconds }
