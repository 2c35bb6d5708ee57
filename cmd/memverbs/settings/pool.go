package settings

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/secure"
)

// Pool is the settings of a pool.
type Pool struct {
	name string
	Placement

	timeout        time.Duration
	ConnectTimeout time.Duration
	maxItemSize    setting.Size
	ServerTLS
	Secured *secure.Client // what BuildTLS has made; nil without TLS

	compactDirtiness  int
	structureItemSize setting.Size
	logChunk          time.Duration
	logChunks         int
	guards
	outages
	answers
	families
	Login

	Texts []config.Setting // all of these, if they are those of a file
}

func (p *Pool) define(f *pflag.FlagSet) {
	p.Login.Define(f)
	setting.Define(f, &p.timeout, time.Second, setting.Duration(time.Millisecond), "timeout", "how long an upstream may take to answer a request that it has received")
	setting.Define(f, &p.ConnectTimeout, 500*time.Millisecond, setting.Duration(time.Millisecond), "connect-timeout", "how long connecting to an upstream may take")
	setting.Define(f, &p.maxItemSize, 1<<20, setting.Sizes(1<<10, 1<<30), "max-item-size", "the longest value accepted; memcached's own limit is its flag -I")
	p.ServerTLS.Define(f)
}

func (p *Pool) defineVerbs(f *pflag.FlagSet) {
	setting.Define(f, &p.compactDirtiness, 100, setting.Count(1, math.MaxInt).AtOnce(), "compact-dirtiness", "superfluous tokens that the log of a structure may have before a read compacts it")
	setting.Define(f, &p.structureItemSize, 128<<10, setting.Sizes(1<<10, 512<<10).AtOnce(), "structure-item-size", "how long the item of a structure, such as a set or a table's index, may become\nbefore it is divided into several")
	setting.Define(f, &p.logChunk, 10*time.Second, setting.WholeSeconds().AtOnce(), "log-chunk", "period of the events in one chunk of an event log, in whole seconds")
	setting.Define(f, &p.logChunks, 10, setting.Count(2, 1000).AtOnce(), "log-chunks", "chunks that an event log keeps; it keeps events for log-chunk times (log-chunks - 1)")
}

// longestLog is how long an event log may be. memcached's times are seconds since 1970 in 32
// bits, with a sign, so they end in January 2038.
const longestLog = 5 * 365 * 24 * time.Hour

// checkLog refuses event logs whose items memcached might not keep for as long as they promise.
func (p *Pool) checkLog() error {
	if p.logChunk > longestLog/time.Duration(max(p.logChunks, 1)) {
		return fmt.Errorf("log-chunk %v times log-chunks %d is longer than 5 years, the most that an event log may have: lower one of them", p.logChunk, p.logChunks)
	}
	return nil
}

func (p *Pool) secretFiles() []secretFile {
	return []secretFile{{"password-file", p.Login.password.path}, {"server-tls-key", p.ServerTLS.key}}
}

// BuildTLS reads the files of the pool's settings. Its errors begin with the name of a setting.
func (p *Pool) BuildTLS() (err error) {
	p.Secured, err = p.ServerTLS.client(p.Servers)
	return err
}

// warning returns what is to be warned of; it may be empty.
func (p *Pool) warning() string {
	if p.Secured == nil {
		return ""
	}
	return p.Secured.Warning()
}
