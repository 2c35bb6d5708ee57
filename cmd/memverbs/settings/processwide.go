package settings

import (
	"fmt"
	"log/slog"
	"math"
	"net"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/transport"
)

// Process is the settings of the whole program.
type Process struct {
	maxClients   int
	Loops        int
	BufferMemory setting.Size
	ReadCache    setting.Size
	Drain        time.Duration
	Admin        string   // an address; empty for none
	AdminHosts   []string // names of the admin server
	slow         time.Duration
	LogLevel     slog.Level
	LogFormat    string
}

// defaultLoops is half the number of cores. worksBeside changes GOMAXPROCS later.
var defaultLoops = loopsFor(runtime.GOMAXPROCS(0))

// loopsFor returns the default number of loops on a machine with a number of cores.
func loopsFor(cores int) int { return min(max(1, cores/2), transport.MaxLoops) }

func (p *Process) define(f *pflag.FlagSet) {
	setting.Define(f, &p.maxClients, 10000, setting.Count(1, math.MaxInt).AtOnce(), "max-clients", "how many clients may be connected; further ones get an error and are disconnected")
	setting.Define(f, &p.Loops, defaultLoops, setting.Count(1, transport.MaxLoops).Sample("2"), "loops", "event loops, each with its own connections to every upstream")
	f.Lookup("loops").DefValue = "half the cores" // not the number on the machine where the manual was made
	setting.Define(f, &p.BufferMemory, 256<<20, setting.Sizes(32<<20, setting.Unlimited), "buffer-memory", "memory for requests and replies in flight, and for the work of verbs")
	setting.Define(f, &p.ReadCache, 128<<20, setting.Sizes(0, setting.Unlimited), "read-cache", "memory for structures that were read lately, so that they are only read again when\nthey have changed; 0 for none")
	setting.Define(f, &p.Drain, 5*time.Second, setting.Duration(0).AtOnce(), "drain", "how long a shutdown waits for requests in flight")
}

func (p *Process) defineLog(f *pflag.FlagSet) {
	setting.Define(f, &p.Admin, "", setting.Optional(checkAdmin).Sample("127.0.0.1:9151"), "admin", "`address`, such as 127.0.0.1:9151, of an HTTP server with a status page, metrics for Prometheus,\n/healthz and /readyz; it has no passwords")
	setting.DefineList(f, &p.AdminHosts, setting.Checked(checkHostName).Sample("cache-proxy.example.com"), setting.SplitList, "admin-hosts", "`name` of the admin server, such as the host of Prometheus's target: it answers requests for these names,\nfor addresses, localhost, the machine's own name and the host of admin, and refuses others")
	setting.Define(f, &p.slow, 0, setting.Duration(0), "slow", "how long a request may take before it is logged as slow; 0 for no limit")
	setting.Define(f, &p.LogLevel, slog.LevelInfo, setting.Level(), "log-level", "the lowest level of what is logged: debug, info, warn or error")
	setting.Define(f, &p.LogFormat, "text", setting.OneOf("text", "json"), "log-format", "the format of the log: text or json")
}

// checkAdmin returns an error if address can't be the admin server's.
func checkAdmin(address string) error {
	const expected = "use host:port, such as 127.0.0.1:9151, or [ipv6]:port"
	_, port, err := net.SplitHostPort(address)
	if strings.HasPrefix(address, "unix:") {
		return fmt.Errorf("%q is a unix socket, and the admin server listens at TCP addresses only: %s", address, expected)
	}
	if err != nil || port == "" {
		return fmt.Errorf("%q is not an address: %s", address, expected)
	}
	if _, err = net.LookupPort("tcp", port); err != nil {
		return fmt.Errorf("%q is not an address, as %q is no port from 0 to 65535: %s", address, port, expected)
	}
	return nil
}

// AdminAddress returns the address of the admin server. There must be one.
func (p *Process) AdminAddress() listen.Address {
	return listen.Address{Network: "tcp", Address: p.Admin}
}

// checkHostName returns an error if name can't be a host name of the admin server.
func checkHostName(name string) error {
	if name == "" || strings.ContainsAny(name, ":/ *[]") {
		return fmt.Errorf("%q is not a host name: write it without a port, such as cache1.example", name)
	}
	return nil
}
