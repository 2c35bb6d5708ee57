package main

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"runtime"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/hosts"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/transport"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// settings are all that can be set, by flags or by a file. To add a setting, add a field and
// its definition here, and pass it on in config.go.
type settings struct {
	process
	pools     []*pool
	listeners []listener

	embedded size         // memory of the embedded store, which the only pool has for servers; 0 for none
	lookup   hosts.Lookup // for names of servers
}

// process is the settings of the whole program.
type process struct {
	maxClients   int
	loops        int
	bufferMemory size
	readCache    size
	drain        time.Duration
	admin        string   // an address; empty for none
	adminHosts   []string // names of the admin server
	slow         time.Duration
	logLevel     slog.Level
	logFormat    string
}

// defaultLoops is half the number of cores. tuneRuntime changes GOMAXPROCS later.
var defaultLoops = loopsFor(runtime.GOMAXPROCS(0))

// loopsFor returns the default of the loops on a machine with so many cores.
func loopsFor(cores int) int { return min(max(1, cores/2), transport.MaxLoops) }

func (p *process) define(f *pflag.FlagSet) {
	define(f, &p.maxClients, 10000, count(1, math.MaxInt), "max-clients", "how many clients may be connected; further ones get an error and are disconnected")
	define(f, &p.loops, defaultLoops, count(1, transport.MaxLoops), "loops", "event loops, each with its own connections to every upstream")
	f.Lookup("loops").DefValue = "half the cores" // of the machine that it runs on, not of that which made the manual
	sample(f, "loops", "2")
	define(f, &p.bufferMemory, 256<<20, sizes(32<<20, unlimited), "buffer-memory", "memory for requests and replies in flight, and for the work of verbs")
	define(f, &p.readCache, 128<<20, sizes(0, unlimited), "read-cache", "memory for structures that were read lately, so that they are only read again when\nthey have changed; 0 for none")
	define(f, &p.drain, 5*time.Second, duration(0), "drain", "how long a shutdown waits for requests in flight")
}

func (p *process) defineLog(f *pflag.FlagSet) {
	define(f, &p.admin, "", optional(checkAdmin), "admin", "`address`, such as 127.0.0.1:9151, of an HTTP server with a status page, metrics for Prometheus,\n/healthz and /readyz; it has no passwords")
	defineList(f, &p.adminHosts, checked(checkHostName), splitList, "admin-hosts", "`name` of the admin server, such as the host of Prometheus's target: it answers requests for these names,\nfor addresses, localhost, the machine's own name and the host of admin, and refuses others")
	sample(f, "admin", "127.0.0.1:9151")
	sample(f, "admin-hosts", "cache-proxy.example.com")
	define(f, &p.slow, 0, duration(0), "slow", "how long a request may take before it is logged as slow; 0 for no limit")
	define(f, &p.logLevel, slog.LevelInfo, level(), "log-level", "the lowest level of what is logged: debug, info, warn or error")
	define(f, &p.logFormat, "text", oneOf("text", "json"), "log-format", "the format of the log: text or json")
}

// logger returns a logger to w, which may be a journal, with the level and format of the settings.
func (p *process) logger(w io.Writer) *slog.Logger {
	of := func(w io.Writer) slog.Handler {
		options := &slog.HandlerOptions{Level: p.logLevel, ReplaceAttr: withUnit}
		if p.logFormat == "json" {
			return slog.NewJSONHandler(w, options)
		}
		return slog.NewTextHandler(w, options)
	}
	if j, is := w.(journal); is {
		return slog.New(newJournalHandler(j, of))
	}
	return slog.New(of(w))
}

// withUnit writes durations as the settings have them, such as 5s, also in JSON, where they would be
// numbers of nanoseconds.
func withUnit(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().String())
	}
	return a
}

// pool is the settings of a pool.
type pool struct {
	name string
	placement

	timeout        time.Duration
	connectTimeout time.Duration
	maxItemSize    size
	serverTLS
	secured *secure.Client // what buildTLS has made; nil without TLS

	compactDirtiness  int
	structureItemSize size
	logChunk          time.Duration
	logChunks         int
	guards
	outages
	login

	texts []proxy.Setting // all of these, if they are those of a file
}

func (p *pool) define(f *pflag.FlagSet) {
	p.login.define(f)
	define(f, &p.timeout, time.Second, duration(time.Millisecond), "timeout", "how long an upstream may take to answer a request that it has received")
	define(f, &p.connectTimeout, 500*time.Millisecond, duration(time.Millisecond), "connect-timeout", "how long connecting to an upstream may take")
	define(f, &p.maxItemSize, 1<<20, sizes(1<<10, 1<<30), "max-item-size", "the longest value accepted; memcached's own limit is its flag -I")
	p.serverTLS.define(f)
}

func (p *pool) defineVerbs(f *pflag.FlagSet) {
	define(f, &p.compactDirtiness, 100, count(1, math.MaxInt), "compact-dirtiness", "superfluous tokens that the log of a structure may have before a read compacts it")
	define(f, &p.structureItemSize, 128<<10, sizes(1<<10, 512<<10), "structure-item-size", "how long the item of a structure, such as a set or a table's index, may become\nbefore it is divided into several")
	define(f, &p.logChunk, 10*time.Second, wholeSeconds(), "log-chunk", "period of the events in one item of an event log, in whole seconds")
	define(f, &p.logChunks, 10, count(2, 1000), "log-chunks", "items in the ring of an event log; it keeps events for log-chunk times (log-chunks - 1)")
}

// longestRing is how long the ring of an event log may be. memcached's times are seconds since 1970 in 32
// bits, with a sign, so they end in January 2038.
const longestRing = 5 * 365 * 24 * time.Hour

// checkRing refuses event logs whose items memcached might not keep for as long as they promise.
func (p *pool) checkRing() error {
	if p.logChunk > longestRing/time.Duration(max(p.logChunks, 1)) {
		return fmt.Errorf("log-chunk %v times log-chunks %d is longer than 5 years, the most that an event log may have: lower one of them", p.logChunk, p.logChunks)
	}
	return nil
}

// listening is the settings of some listeners.
type listening struct {
	addresses   []listen.Address
	mode        fs.FileMode
	reusePort   bool
	idleTimeout time.Duration
	auth        authFile // whose users clients have to be; none if it is empty
	tls         listenTLS
	maxClients  int // 0 for no limit but that of the process
	verbKeys    string
}

func (l *listening) define(f *pflag.FlagSet) {
	defineList(f, &l.addresses, kind[listen.Address]{"address", listen.Parse, listen.Address.String}, nil, "listen", "`address` to listen on: host:port, :port or unix:/path")
	define(f, &l.mode, 0o700, permissions(), "socket-mode", "octal permissions of the unix sockets that memverbs creates")
	define(f, &l.idleTimeout, 0, duration(0), "idle-timeout", "how long a client may send nothing before it is disconnected; 0 for ever")
	define(f, &l.auth, authFile{}, authFiles(), "auth-file", "`file` with lines user:password, as for memcached's -Y; clients have to authenticate\nas one of these users")
	define(f, &l.reusePort, false, yesOrNo(), "reuse-port", "share the TCP addresses with other processes that are started with this flag; each gets some of the clients")
	f.Lookup("reuse-port").NoOptDefVal = "true"
	sample(f, "listen", "127.0.0.1:11311")
	sample(f, "auth-file", "/etc/memverbs/users")
	l.tls.define(f)
}

// defineMost defines a setting that only files have for some listeners: for flags it is that of
// the process.
func (l *listening) defineMost(f *pflag.FlagSet) {
	define(f, &l.maxClients, 0, count(0, math.MaxInt), "max-clients", "how many clients may be connected at each address; 0 for no limit but that of all together")
}

func (l *listening) defineVerbKeys(f *pflag.FlagSet) {
	define(f, &l.verbKeys, "", optional(verbkeys.Check), "verb-keys", "`prefix`, such as verb/, of keys that name verbs: set <prefix>sadd/<set> adds members,\nget <prefix>smembers/<set> returns them. For clients that can't be changed")
	sample(f, "verb-keys", "verb/")
}

// defineClients defines all of them, as a file has them.
func (l *listening) defineClients(f *pflag.FlagSet) {
	l.define(f)
	l.defineMost(f)
	l.defineVerbKeys(f)
}

// listener is one listener and where the requests of its clients go.
type listener struct {
	address listen.Address
	listening
	routes []route

	texts []proxy.Setting // all of these, if they are those of a file
}

// route sends requests for keys with a prefix to a pool. Among several that match a key, that
// of the longest prefix counts.
type route struct {
	prefix string
	pool   string
	strip  bool
}
