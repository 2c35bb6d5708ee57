package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/proxy/hosts"
	"github.com/memverbs/memverbs/proxy/verbkeys"
)

// options are the values of the flags.
type options struct {
	groups []group
	pool

	listen         []string
	socketMode     socketMode
	embeddedMemory size
	timeout        time.Duration
	connectTimeout time.Duration
	drain          time.Duration
	loops          int
	maxItemSize    size
	maxClients     int
	bufferMemory   size
	readCache      size

	compactDirtiness  int
	structureItemSize size
	logChunk          time.Duration
	logChunks         int
	verbKeys          string

	admin     string
	slow      time.Duration
	logLevel  string
	logFormat string
	version   bool

	lookup hosts.Lookup // for names of upstreams; not a flag
}

// group is a group of flags in --help.
type group struct {
	title string
	flags *pflag.FlagSet
}

func newOptions() *options {
	o := &options{
		socketMode: 0o700, bufferMemory: 256 << 20, readCache: 128 << 20, embeddedMemory: 64 << 20,
		maxItemSize: 1 << 20, structureItemSize: 64 << 10, lookup: hosts.System,
	}

	f := o.group("Where to listen, and for whom")
	f.StringArrayVar(&o.listen, "listen", []string{"127.0.0.1:11211"}, "`address` to listen on: host:port, :port or unix:/path; may be repeated")
	f.Var(&o.socketMode, "socket-mode", "permissions of the unix sockets listened on, in octal")
	f.IntVar(&o.maxClients, "max-clients", 10000, "how many clients may be connected; further ones get an error and are disconnected")
	f.IntVar(&o.loops, "loops", max(1, runtime.GOMAXPROCS(0)/2), "event loops, each with its own connections to every upstream")
	f.Var(&o.bufferMemory, "buffer-memory", "memory for requests and replies in flight, and for the work of verbs")
	f.DurationVar(&o.drain, "drain", 5*time.Second, "how long a shutdown waits for requests in flight")

	f = o.group("The memcached servers behind it")
	o.addFlags(f, ". Without any, the embedded store is used, and data is lost on exit")
	f.DurationVar(&o.timeout, "timeout", time.Second, "how long an upstream may take to answer a request that it has received")
	f.DurationVar(&o.connectTimeout, "connect-timeout", 500*time.Millisecond, "how long connecting to an upstream may take")
	f.Var(&o.maxItemSize, "max-item-size", "the longest value accepted; memcached's own limit is its flag -I")
	f.Var(&o.embeddedMemory, "embedded-memory", "memory for data without --upstream")

	f = o.group("Verbs")
	f.Var(&o.readCache, "read-cache", "memory for structures that were read lately, so that they are only read again when\nthey have changed; 0 for none")
	f.IntVar(&o.compactDirtiness, "compact-dirtiness", 100, "superfluous tokens that the log of a set, list or table may have before a read compacts it")
	f.Var(&o.structureItemSize, "structure-item-size", "how long the item of a set, a list or a table's index may become\nbefore it is divided into several")
	f.DurationVar(&o.logChunk, "log-chunk", 10*time.Second, "period of the events in one item of an event log, in whole seconds")
	f.IntVar(&o.logChunks, "log-chunks", 10, "items in the ring of an event log; it keeps events for log-chunk times (log-chunks - 1)")

	f.StringVar(&o.verbKeys, "verb-keys", "", "`prefix`, such as verb/, of keys that name verbs: set <prefix>sadd/<set> adds members,\nget <prefix>smembers/<set> returns them. For clients that can't be changed")

	f = o.group("Logging and information")
	f.StringVar(&o.admin, "admin", "", "`address`, such as 127.0.0.1:9151, of an HTTP server with a status page, metrics for Prometheus\n(/metrics), /healthz and /readyz; without passwords, so not for the public")
	f.DurationVar(&o.slow, "slow", 0, "how long a request may take before it is logged as slow, such as 50ms; 0 for none")
	f.StringVar(&o.logLevel, "log-level", "info", "debug, info, warn or error")
	f.StringVar(&o.logFormat, "log-format", "text", "text or json")
	f.BoolVar(&o.version, "version", false, "print the version and exit")
	f.BoolP("help", "h", false, "print this and exit")
	return o
}

func (o *options) group(title string) *pflag.FlagSet {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	o.groups = append(o.groups, group{title, f})
	return f
}

// usage returns the text of --help.
func (o *options) usage() string {
	var b strings.Builder
	b.WriteString("memverbs is a proxy in front of memcached that adds sets, lists, tables, rankings, queues of tasks, event logs and locks to it.\n\n" +
		"Usage:\n  memverbs [flags]\n  memverbs locate [flags] [key...]   # see memverbs locate --help\n\n" +
		"Try it:\n  memverbs                                        # nothing else needed\n" +
		"  memverbs --upstream 10.0.0.1:11211,10.0.0.2:11211   # in front of a pool\n" +
		"  telnet 127.0.0.1 11211                          # then type: help\n")
	for _, g := range o.groups {
		fmt.Fprintf(&b, "\n%s:\n%s", g.title, g.flags.FlagUsages())
	}
	b.WriteString(layouts())
	return b.String()
}

// parse parses and checks the flags. Its errors are one line.
func (o *options) parse(args []string) error {
	all := pflag.NewFlagSet("memverbs", pflag.ContinueOnError)
	for _, g := range o.groups {
		all.AddFlagSet(g.flags)
	}
	if err := parseFlags(all, args); err != nil {
		return err
	}
	if all.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: everything is set by flags; see --help", all.Arg(0))
	}
	return o.check()
}

// parseFlags parses flags, including --help. Its errors are one line, or pflag.ErrHelp.
func parseFlags(f *pflag.FlagSet, args []string) error {
	f.Usage = func() {}
	err := f.Parse(args)
	if err != nil && !errors.Is(err, pflag.ErrHelp) {
		return fmt.Errorf("%w; see --help", err)
	}
	if help, _ := f.GetBool("help"); help {
		return pflag.ErrHelp
	}
	return err
}

// check returns an error for invalid values.
func (o *options) check() error {
	for _, c := range []struct {
		wrong bool
		what  string
	}{
		{len(o.listen) == 0, "--listen: an address is needed"},
		{o.maxClients < 1, "--max-clients: must be at least 1"},
		{o.loops < 1 || o.loops > 1024, "--loops: must be from 1 to 1024"},
		{o.drain < 0, "--drain: must not be negative"},
		{o.timeout < time.Millisecond, "--timeout: must be at least 1ms"},
		{o.connectTimeout < time.Millisecond, "--connect-timeout: must be at least 1ms"},
		{o.maxItemSize < 1<<10 || o.maxItemSize > 1<<30, "--max-item-size: must be from 1KB to 1GB"},
		{o.bufferMemory < 32<<20, "--buffer-memory: must be at least 32MB"},
		{o.embeddedMemory < 1<<20, "--embedded-memory: must be at least 1MB"},
		{o.compactDirtiness < 1, "--compact-dirtiness: must be at least 1"},
		{o.structureItemSize < 1<<10 || o.structureItemSize > 512<<10, "--structure-item-size: must be from 1KB to 512KB"},
		{o.slow < 0, "--slow: must not be negative"},
		{o.logChunk < time.Second || o.logChunk%time.Second != 0, "--log-chunk: must be whole seconds, at least 1s, as memcached counts in seconds"},
		{o.logChunks < 2 || o.logChunks > 1000, "--log-chunks: must be from 2 to 1000"},
		{o.logFormat != "text" && o.logFormat != "json", fmt.Sprintf("--log-format: %q is neither text nor json", o.logFormat)},
	} {
		if c.wrong {
			return errors.New(c.what)
		}
	}
	if err := verbkeys.Check(o.verbKeys); err != nil && o.verbKeys != "" {
		return fmt.Errorf("--verb-keys: %w", err)
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.logLevel)); err != nil {
		return fmt.Errorf("--log-level: %q is none of debug, info, warn and error", o.logLevel)
	}
	return o.pool.check()
}

// logger returns a logger to w with the level and format of the flags.
func (o *options) logger(w io.Writer) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(o.logLevel)) // checked by check
	handler := &slog.HandlerOptions{Level: level}
	if o.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, handler))
	}
	return slog.New(slog.NewTextHandler(w, handler))
}
