package proxy

import (
	"context"
	"io/fs"
	"net"
	"time"

	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/verbs"
)

// Config is the configuration of a [Server]. Optional are Listen, VerbKeys, ReadCache,
// ReadCacheUsed, Slow, Fingerprint, LogLinesLost, and SocketMode without unix sockets.
type Config struct {
	// Version is the proxy's version, reported by stats.
	Version string
	// Listen are the addresses to listen on.
	Listen []listen.Address
	// SocketMode is the permissions of the unix sockets among them.
	SocketMode fs.FileMode
	// Upstreams are the servers of the pool, in the order of Layout's indexes.
	Upstreams []Upstream
	// Layout places keys on upstreams.
	Layout sharding.Layout
	// Timeout is how long an upstream may take to answer a request that it has
	// received.
	Timeout time.Duration
	// ConnectTimeout is how long connecting to an upstream may take.
	ConnectTimeout time.Duration
	// Drain is how long a shutdown waits for requests in flight.
	Drain time.Duration
	// Loops is the number of event loops.
	Loops int
	// MaxItemSize is the longest value taken from clients, in bytes.
	MaxItemSize int
	// MaxClients is how many clients may be connected at a time.
	MaxClients int
	// Verbs are the settings of the verbs.
	Verbs verbs.Options
	// VerbKeys is the prefix of the keys that name verbs, so that ordinary
	// commands can carry them; see package verbkeys, whose Check it must have
	// passed. Empty for none.
	VerbKeys string
	// BufferMemory is how many bytes all loops together may use for requests and
	// replies in flight and for the work of verbs.
	BufferMemory int
	// ReadCache is how many bytes all loops together may use for views of structures; 0
	// for none.
	ReadCache int64
	// ReadCacheUsed, if not nil, is called with the bytes in use each time they have
	// changed considerably, on any goroutine.
	ReadCacheUsed func(bytes int64)
	// Slow is how long a request may take before it is logged, and listed, as slow; 0 if none
	// ever is.
	Slow time.Duration
	// Fingerprint stands for what all proxies in front of the pool must agree on.
	Fingerprint string
	// LogLinesLost returns how many lines the log has lost, for the statistics.
	// It is called from any goroutine. If it is nil, none are ever lost.
	LogLinesLost func() uint64

	unmoved time.Duration // see the constant
}

// Upstream is one server of the pool.
type Upstream struct {
	// Name is its name in messages: the address as the operator wrote it.
	Name string
	// Network and Address are where it listens, to tell whether it is the
	// proxy itself. They are empty for a server inside the process.
	Network, Address string
	// Dial connects to it.
	Dial func(context.Context) (net.Conn, error)
	// Ended, if not nil, is called once for each connection that Dial has made, when
	// that ends. It must not block.
	Ended func()
	// Check, if not nil, is called by Start. It returns an error if the server can't be
	// used, whether or not it can be reached.
	Check func(context.Context) error
}
