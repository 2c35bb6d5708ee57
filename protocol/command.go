package protocol

// Command is the first word of a request.
type Command uint8

// The commands, grouped by how a request of them is shaped.
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

	// Verbs, which memcached lacks.
	Help
	SAdd
	SRem
	SMembers
	SIsMember
	SInter
	SUnion
	SDiff
	SCard
	SPop
	SRandMember
	SCompact
	LogPut
	LogFetch

	// Admin is any command that administers one memcached, such as slabs.
	Admin

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
	Help:     "help",
	SAdd:     "sadd", SRem: "srem", SMembers: "smembers", SIsMember: "sismember",
	SInter: "sinter", SUnion: "sunion", SDiff: "sdiff",
	SCard: "scard", SPop: "spop", SRandMember: "srandmember", SCompact: "scompact",
	LogPut: "logput", LogFetch: "logfetch",
	Admin: "admin",
}

// String returns the word a client types for c.
func (c Command) String() string { return names[c] }

// Retrieval reports whether c is one of get, gets, gat and gats.
func (c Command) Retrieval() bool { return c >= Get && c <= Gats }

// Storage reports whether a data block follows the line of a plain command c.
func (c Command) Storage() bool { return c >= Set && c <= MetaSet }

// Meta reports whether c is one of memcached's meta commands on a key.
func (c Command) Meta() bool {
	return c == MetaSet || c >= MetaGet && c <= MetaDebug
}

// Verb reports whether c is one of the commands that memcached lacks.
func (c Command) Verb() bool { return c >= Help && c <= LogFetch }

// ReadOnly reports whether c leaves every item as it is. Touching counts as a
// change.
func (c Command) ReadOnly() bool {
	switch c {
	case Get, Gets, SMembers, SIsMember, SInter, SUnion, SDiff, SCard, SRandMember, LogFetch, MetaDebug:
		return true
	}
	return false
}

// Reads reports whether c is a verb that reads all of the items that it is about, and
// does not only append to them.
func (c Command) Reads() bool { return c.Verb() && (c.ReadOnly() || c == SPop || c == SCompact) }

// TakesKeys reports whether c is a verb whose list is one of keys, the first
// of which is the request's.
func (c Command) TakesKeys() bool { return c == SMembers || c >= SInter && c <= SDiff }

// takesList reports whether c is a verb whose line may grow beyond [MaxLine].
// So may that of a retrieval, which is read in stretches.
func (c Command) takesList() bool { return c >= SAdd && c <= SDiff }

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
	case "flush_all":
		return FlushAll
	case "help":
		return Help
	case "sadd":
		return SAdd
	case "srem":
		return SRem
	case "smembers":
		return SMembers
	case "sismember":
		return SIsMember
	case "sinter":
		return SInter
	case "sunion":
		return SUnion
	case "sdiff":
		return SDiff
	case "scard":
		return SCard
	case "spop":
		return SPop
	case "srandmember":
		return SRandMember
	case "scompact":
		return SCompact
	case "logput":
		return LogPut
	case "logfetch":
		return LogFetch
	case "slabs", "lru", "lru_crawler", "watch", "shutdown", "cache_memlimit", "misbehave",
		"refresh_certs", "extstore", "debugtime", "extstore_crawler":
		return Admin
	}
	return Unknown
}
