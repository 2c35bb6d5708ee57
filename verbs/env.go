package verbs

// Env is what verbs know of the world.
type Env interface {
	// Now is the time, in milliseconds since the Unix epoch.
	Now() int64
	// AppendCreates says whether the upstream that owns a structure can append or
	// create in one round trip, as memcached 1.6.20 and later can.
	AppendCreates(structure []byte) bool
	// Upstream is the name of the upstream that owns a structure, for people.
	Upstream(structure []byte) string
	// ItemLimit is the size of the longest item that may be put under key as a part
	// of a structure, in bytes, with the key and what memcached adds: of what the
	// upstream that owns the structure takes and what clients may store through the
	// proxy, the smaller. It is 0 if it is not known what the upstream takes.
	ItemLimit(structure, key []byte) int
	// Outgrown reports whether NoteOutgrown was called with key, as far as that
	// is remembered.
	Outgrown(key []byte) bool
	// NoteOutgrown says that the item for which key stands has become so long that what
	// comes later had better go elsewhere.
	NoteOutgrown(key []byte)
	// Random returns 64 random bits.
	Random() uint64
	// Options are the same throughout the life of a routine.
	Options() *Options
}

// Options are the settings of the verbs.
type Options struct {
	// CompactDirtiness is how many dead tokens a structure may hold before a read
	// compacts it.
	CompactDirtiness int
	// StructureItemSize is how long the item that is appended to may become,
	// in bytes; its log is folded and moved elsewhere in time.
	StructureItemSize int
	// LogChunk is the time that one item of an event log covers, in
	// milliseconds; a whole number of seconds.
	LogChunk int64
	// LogChunks is the number of items in the ring of an event log.
	LogChunks int64
}
