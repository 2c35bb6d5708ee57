package house

// Wall has stones.
type Wall struct{ stones Stone[int] }
