package protocol

// Command is the first word of a request.
type Command uint8

// The commands, grouped by the shape of their requests.
const (
	Unknown Command = iota

	// Retrieval: a list of keys, answered by values and END.
	Get
	Gets
	Gat
	Gats

	// Storage: a line, then a data block.
	Set
	Add
	Replace
	Append
	Prepend
	Cas
	MetaSet

	// One line with one key, answered by one line (or one meta value).
	Delete
	Incr
	Decr
	Touch
	MetaGet
	MetaDelete
	MetaArithmetic
	MetaDebug

	// Without a key.
	MetaNoop
	Version
	Verbosity
	Quit
	Stats
	FlushAll

	// Extra is a verb, a command that memcached lacks: see [Request.Verb].
	Extra

	// Admin is any command that administers a single memcached, such as slabs.
	Admin

	// Auth is authentication, for which only the binary protocol has a command: Words is the
	// SASL mechanism, Data its message. Without a mechanism, it asks which there are.
	Auth

	// NumCommands is the number of commands, for tables indexed by Command.
	NumCommands
)

var names = [NumCommands]string{
	Unknown: "unknown",
	Get:     "get", Gets: "gets", Gat: "gat", Gats: "gats",
	Set: "set", Add: "add", Replace: "replace", Append: "append", Prepend: "prepend", Cas: "cas",
	MetaSet: "ms",
	Delete:  "delete", Incr: "incr", Decr: "decr", Touch: "touch",
	MetaGet: "mg", MetaDelete: "md", MetaArithmetic: "ma", MetaDebug: "me",
	MetaNoop: "mn", Version: "version", Verbosity: "verbosity", Quit: "quit", Stats: "stats",
	FlushAll: "flush_all",
	Extra:    "verb",
	Admin:    "admin",
	Auth:     "auth",
}

// String returns the word a client types for c. It knows no names of verbs: see
// [Request.Name].
func (c Command) String() string { return names[c] }

// Retrieval reports whether c is one of get, gets, gat and gats.
func (c Command) Retrieval() bool { return c >= Get && c <= Gats }

// Storage reports whether c is a command of memcached with a data block. For verbs see
// [Verb.Block].
func (c Command) Storage() bool { return c >= Set && c <= MetaSet }

// Meta reports whether c is one of memcached's meta commands on a key.
func (c Command) Meta() bool {
	return c == MetaSet || c >= MetaGet && c <= MetaDebug
}

// ReadOnly reports whether c reads items and never changes one. Touching counts as a
// change, so gat and mg, which may touch, are not read-only. c must not be Extra.
func (c Command) ReadOnly() bool { return c == Get || c == Gets || c == MetaDebug }

// lookup returns the command that word names. memcached's commands are case
// sensitive.
func lookup(word []byte) Command {
	switch string(word) { // compiled to a search without allocation
	case "get":
		return Get
	case "set":
		return Set
	case "mg":
		return MetaGet
	case "ms":
		return MetaSet
	case "gets":
		return Gets
	case "gat":
		return Gat
	case "gats":
		return Gats
	case "add":
		return Add
	case "replace":
		return Replace
	case "append":
		return Append
	case "prepend":
		return Prepend
	case "cas":
		return Cas
	case "delete":
		return Delete
	case "incr":
		return Incr
	case "decr":
		return Decr
	case "touch":
		return Touch
	case "md":
		return MetaDelete
	case "ma":
		return MetaArithmetic
	case "me":
		return MetaDebug
	case "mn":
		return MetaNoop
	case "version":
		return Version
	case "verbosity":
		return Verbosity
	case "quit":
		return Quit
	case "stats":
		return Stats
	case "flush_all", "flushall": // the second spelling is that of other servers with rankings
		return FlushAll
	case "slabs", "lru", "lru_crawler", "watch", "shutdown", "cache_memlimit", "misbehave",
		"refresh_certs", "extstore", "debugtime", "extstore_crawler":
		return Admin
	}
	return Unknown
}
