package verbs

// Env is all that verbs know of the outside world.
type Env interface {
	// Now is the time, in milliseconds since the Unix epoch. It may be wrong, and jump.
	Now() int64
	// Uptime is for how long the event loop has run, in milliseconds. It never jumps.
	Uptime() int64
	// AppendCreates reports whether the upstream that owns a structure can append or
	// create in one round trip, as memcached 1.6.20 and later can.
	AppendCreates(structure []byte) bool
	// Silence returns how long ago, in milliseconds, the latest request that the upstream of a
	// structure has answered was sent to it. It grows while the upstream answers nothing.
	Silence(structure []byte) int64
	// Upstream is the name of the upstream that owns a structure, for people.
	Upstream(structure []byte) string
	// FormerPlaces returns where items of a structure may have remained when the servers of the pool changed. It is none as a
	// rule. Nothing is stored there any more.
	FormerPlaces(structure []byte) []Place
	// ClientKey returns the key, as clients have it but for what their route strips, that is stored under a key.
	ClientKey(stored []byte) []byte
	// ItemLimit is the size of the largest item that may be stored under key as a part
	// of a structure, in bytes, including the key and memcached's overhead. It is the
	// smaller of the limit of the upstream that owns the structure and the limit of the
	// proxy, or 0 while the upstream's is unknown.
	ItemLimit(structure, key []byte) int
	// MostMemory is the most that can ever be reserved for a call, in bytes.
	MostMemory() int
	// Outgrown reports whether NoteOutgrown was called with id. It may have been forgotten.
	Outgrown(id []byte) bool
	// NoteOutgrown notes that the item that id stands for has become so long that later
	// data should go into another item.
	NoteOutgrown(id []byte)
	// NoteFull reports that a structure, or a stretch of an event log, is full: a call could not add something to it, or
	// could not settle it. The log has its key as [Call.Shown] says.
	NoteFull(structure, shown []byte)
	// Hints is what the calls of the event loop remember of structures.
	Hints() *Hints
	// Shared is what calls of the event loop have in common.
	Shared() *Shared
	// Random returns 64 random bits.
	Random() uint64
	// Options never change during the life of a routine.
	Options() *Options
}

// Options are the settings of the verbs.
type Options struct {
	// CompactDirtiness is how many dead tokens a structure may hold before a read
	// compacts it.
	CompactDirtiness int
	// StructureItemSize is how long the head of a structure may become, in bytes; its
	// log is folded and moved to a segment before that.
	StructureItemSize int
	// LongSegment is how long a segment must be, in bytes, so that settling the head leaves it to
	// merging; 0 for four times StructureItemSize.
	LongSegment int
	// LogChunk is the time that a chunk of an event log covers, in
	// milliseconds; a whole number of seconds.
	LogChunk int64
	// LogChunks is the number of chunks that an event log keeps, the present one included.
	LogChunks int64
	// ReadOnly says that no item may be changed. Then the driver runs only calls that read, and does not
	// carry out the operations with which these compact or delete something, see [Op.Beaten]. The replies to
	// reads lack the time to live: only a meta get returns it, which would win the recache token of a stale
	// item.
	ReadOnly bool
}

// Compacts reports whether a read compacts a structure with so many dead tokens.
func (o *Options) Compacts(dead int) bool { return !o.ReadOnly && dead > o.CompactDirtiness }
