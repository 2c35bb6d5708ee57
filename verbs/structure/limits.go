package structure

import "github.com/memverbs/memverbs/verbs"

// limits is the part of an [Engine] that knows how long a head may become, and which structures are full (full.go).
type limits struct{ *call }

// HeadLimit is the length, in bytes, above which a head is settled. It is below the maximum, since
// other appends may be in flight.
func (m *limits) HeadLimit(key []byte) int { return headLimit(m.env, m.owner(key), key) }

func headLimit(env verbs.Env, structure, key []byte) int {
	limit := env.Options().StructureItemSize
	if most := env.ItemLimit(structure, key); most > 0 {
		limit = min(limit, most/2)
	}
	return limit - limit/8
}

// Appended reports whether tokens of size bytes may be appended to the head under key.
// Longer ones are inserted as a segment, by swapping the head (insert.go).
func Appended(env verbs.Env, key []byte, size int) bool {
	return size <= headLimit(env, key, key) && verbs.Fits(env, key, key, size)
}
