package structure

// The calls of an event loop remember which structures were full, and how that showed. See full.go.

// fullFor is for how long, in milliseconds, a structure is taken to be full without another look at
// its head, as long as that has not become shorter.
const fullFor = 1000

// A structure that could not be settled is left alone for stuckRest times as long as that took, so that
// trying costs an event loop little of its time however long it takes; but for a second at least, and for
// a minute, in milliseconds, at most, since others may have made room meanwhile.
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
	stuck int64 // when it could not be settled, as the result would be too long; 0 if it could
	rest  int64 // for how long, in milliseconds, it need not be tried again since then
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

// within reports whether a time, which is 0 for never, was less than so many milliseconds before now.
func within(time, now, milliseconds int64) bool { return time != 0 && now-time < milliseconds }
