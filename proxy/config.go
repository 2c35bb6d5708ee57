package proxy

import (
	"context"
	"net"
	"time"

	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/verbs"
)

// Config says what a [Server] does. All fields are needed but Listen, which
// may be empty in a test.
type Config struct {
	// Version is what clients are told.
	Version string
	// Listen are the addresses to listen on, from [ParseListen].
	Listen []Address
	// Upstreams are the servers of the pool, in the order that Layout knows.
	Upstreams []Upstream
	// Layout places keys on upstreams.
	Layout sharding.Layout
	// Timeout is how long an upstream may take to answer.
	Timeout time.Duration
	// ConnectTimeout is how long connecting to an upstream may take.
	ConnectTimeout time.Duration
	// Drain is how long a shutdown waits for what is in flight.
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

	loopMemory int // how many bytes of buffers a loop may hold
}

// Upstream is one server of the pool.
type Upstream struct {
	// Name is how messages call it: its address, as the operator wrote it.
	Name string
	// Network and Address are where it listens, to tell whether it is the
	// proxy itself. They are empty for a server inside the process.
	Network, Address string
	// Dial connects to it.
	Dial func(context.Context) (net.Conn, error)
}

const (
	// allMemory is how many bytes of buffers all loops may hold together, as
	// long as that leaves each of them minMemory: the longest reply that is put
	// together, of MaxKeys values, takes a part of that while it grows.
	allMemory = 1 << 30
	minMemory = 384 << 20
)
