package config

import (
	"context"
	"io/fs"
	"net"
	"time"

	"github.com/memverbs/memverbs/proxy/byprefix"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/namespace"
	"github.com/memverbs/memverbs/proxy/outdated"
	"github.com/memverbs/memverbs/proxy/passwords"
	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/shadow"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/verbs"
)

// Config is the configuration of a [proxy.Server]. Sockets, ReadCache, ReadCacheUsed, FirstVerb,
// WorksBeside, Slow, Outdated and LogLinesLost are optional, and so is SocketMode if there are no unix
// sockets.
type Config struct {
	// Version is the proxy's version, reported by stats.
	Version string
	// Pools are the pools that the proxy serves. Their names differ.
	Pools []Pool
	// Listeners are where clients connect. Their addresses differ.
	Listeners []Listener
	// Sockets opens the listeners. If it is nil, no socket was passed to the process. A reload
	// does not change it.
	Sockets *listen.Sockets
	// Drain is how long a shutdown waits for requests in flight.
	Drain time.Duration
	// Loops is the number of event loops.
	Loops int
	// MaxClients is how many clients may be connected at a time.
	MaxClients int
	// BufferMemory is how many bytes all loops together may use for requests and
	// replies in flight and for the work of verbs.
	BufferMemory int
	// ReadCache is how many bytes all loops together may use for views of structures; 0
	// for none.
	ReadCache int64
	// ReadCacheUsed, if not nil, is called with the bytes in use when they have changed
	// considerably, on any goroutine.
	ReadCacheUsed func(bytes int64)
	// FirstVerb, if not nil, is called once, before a verb is first begun, on the loop that begins it.
	FirstVerb func()
	// WorksBeside, if not nil, is called once, before long work is first done outside the loops, on
	// the goroutine of that work.
	WorksBeside func()
	// Slow is how long a request may take before it is logged, and listed, as slow; 0 if none
	// ever is.
	Slow time.Duration
	// LogLinesLost returns how many lines the log has lost, for the statistics.
	// It is called from any goroutine. If it is nil, none are ever lost.
	LogLinesLost func() uint64
	// Outdated, if not nil, is what is outdated on unreachable servers, inherited from a predecessor.
	Outdated *outdated.Memory
}

// Pool is some servers over which keys are spread, and how they are used.
type Pool struct {
	// Name identifies the pool.
	Name string
	// Settings are all settings of the pool, including those that package proxy does not use. If
	// they are equal, a reload leaves the pool as it is; if not, it logs which differ. If there are
	// none, a reload replaces the pool.
	Settings []Setting
	// Agreement is a text of everything that all proxies in front of the pool must agree on:
	// proxies with different texts place keys, or store structures, differently.
	Agreement string
	// Upstreams are its servers, in the order of Layout's indexes.
	Upstreams []Upstream
	// Discovery, if not nil, is how its servers are found.
	Discovery *Discovery
	listed    []string // those that are used, if they were found or keys move
	wanted    []string // those that are to be used once no keys move any more
	migrating *Migrating
	// Layout places keys on upstreams.
	Layout sharding.Layout
	// Placing is how verbs find structures while the servers change.
	Placing Places
	// Timeout is how long an upstream may take to answer a request that it has
	// received.
	Timeout time.Duration
	// ConnectTimeout is how long connecting to an upstream may take.
	ConnectTimeout time.Duration
	// MaxItemSize is the longest value taken from clients, in bytes.
	MaxItemSize int
	// Verbs are the settings of the verbs.
	Verbs verbs.Options
	// Guard is what clients may not do.
	Guard Guard
	// OnDown is what clients get for the keys of an upstream that is down.
	OnDown OnDown
	// Spare is the name of the pool for OnDown Spare, another one without a spare itself.
	Spare string
	// SpareTTL is how long an item may live in the spare pool, in whole seconds.
	SpareTTL time.Duration
	// Near says of which keys the values are kept in the process for a short time, and for how long.
	Near []byprefix.Duration
	// HoldMisses says for which keys gets that miss wait for a client that is about to store the value, and for how long.
	HoldMisses []byprefix.Duration
	// Namespaces say which keys are stored with a generation, and are flushed together.
	Namespaces namespace.Patterns
	// Login is how to authenticate to the upstreams.
	Login upstream.Login
	// OnReturn is what is done when an upstream that was down is back, so that nobody reads
	// values that were changed or deleted meanwhile. If Guard.ReadOnly, nothing is.
	OnReturn upstream.OnReturn
}

// Setting is the name of a setting and its value as a text, set or by default.
type Setting struct {
	Name, Text string
	// AtOnce says that a change takes effect at a reload, without a new process or new connections to the upstreams.
	AtOnce bool
}

// Upstream is one server of a pool.
type Upstream struct {
	// Name is its name in messages: the address as the operator wrote it, and the name that the operator
	// gave it, if any.
	Name string
	// Network and Address are where it listens. They distinguish it from other servers, and from
	// the proxy itself. They are empty for a server inside the process, which its Name identifies.
	Network, Address string
	// Resolve, if not nil, is called before Dial, and may take long: it returns when Dial has an
	// address to connect to.
	Resolve func(context.Context) error
	// Dial connects to it.
	Dial func(context.Context) (net.Conn, error)
	// Ended, if not nil, is called once for each connection that Dial has made, when
	// that ends. It must not block.
	Ended func()
	// Check, if not nil, is called by Open. It returns an error if the server can't be
	// used, whether or not it can be reached.
	Check func(context.Context) error
	// Leads, if not nil, returns the address to which its name resolves, "" if that is not known. Then
	// Look and Leave are not nil either.
	Leads func() string
	// Look, if not nil, looks its name up again. If the name resolves to another machine, Look
	// returns the server there, otherwise nil. If that server replaces this one, Leave of this one is
	// called.
	Look func(context.Context) (*Upstream, error)
	// Leave makes the server keep its present address, whatever its name resolves to.
	Leave func()
}

// Listener is where clients connect, and which pools they use.
type Listener struct {
	// Address is the address to listen on.
	Address listen.Address
	// Settings are the listener's settings, for the log line that says what a reload changes.
	Settings []Setting
	// SocketMode is the permissions of a unix socket.
	SocketMode fs.FileMode
	// ReusePort lets other processes listen at the same TCP address.
	ReusePort bool
	// MaxClients is how many of its clients may be connected at a time; 0 for no limit
	// but that of the process.
	MaxClients int
	// IdleTimeout is how long a client may send nothing, when nothing is outstanding for
	// it, before it is disconnected; 0 for ever.
	IdleTimeout time.Duration
	// Passwords are the users and passwords that clients must authenticate with; nil if they need
	// not.
	Passwords *passwords.List
	// Routes say which pool has a key: that of the longest prefix with which the key begins. One
	// route has an empty prefix.
	Routes []Route
	// TLS, if not nil, makes its clients speak TLS.
	TLS *secure.Server
	// VerbKeys is the prefix of the keys that name verbs, so that ordinary
	// commands can carry them; see package verbkeys, whose Check it must have
	// passed. Empty for none.
	VerbKeys string
}

// Route says that the keys with a prefix are in a pool.
type Route struct {
	Prefix string
	Pool   string // its name
	// Copies, if not empty, are the names of the pools that all have the keys (package copies). Pool is the first of them.
	Copies []string
	// Shadow, if not empty, is the name of the pool to which a Share of the keys is sent too (package shadow). There are no copies
	// then.
	Shadow string
	Share  shadow.Share
	// Strip says that the keys are stored without the prefix, which is not empty.
	Strip bool
}

// Pools returns the names of the pools that have the keys.
func (r *Route) Pools() []string {
	if len(r.Copies) > 0 {
		return r.Copies
	}
	return []string{r.Pool}
}

// Shadows returns the names of the pools to which keys of clients are sent too.
func (l *Listener) Shadows() (names []string) {
	for i := range l.Routes {
		if name := l.Routes[i].Shadow; name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Pools returns the names of the pools that have keys of clients, each at least once.
func (l *Listener) Pools() (names []string) {
	for i := range l.Routes {
		names = append(names, l.Routes[i].Pools()...)
	}
	return names
}
