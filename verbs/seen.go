package verbs

// Seen is what a call that may wait has seen of its structure.
type Seen struct {
	// In is in how many milliseconds there may be something for it though nothing is added, if there is nothing now; 0 if
	// that is not known.
	In int64
	// Few says that there is less than it waits for, although there may be something to answer with.
	Few bool
	// From and Mark tell what a call has seen that only reads: see Sight of package waiters.
	From int64
	Mark uint64
}
