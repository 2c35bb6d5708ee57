package route

import (
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/clock"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/hotkeys"
	"github.com/memverbs/memverbs/proxy/outdated"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/upstream"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// lastDigit is a layout of some servers: the digit that ends a key is the index of its server, and keys that end
// in something else are on the first.
type lastDigit int

func (servers lastDigit) Locate(key []byte) int {
	if len(key) == 0 || key[len(key)-1] < '0' || int(key[len(key)-1]-'0') >= int(servers) {
		return 0
	}
	return int(key[len(key)-1] - '0')
}

// server returns the server of a pool with an index.
func server(of string, index int) string { return fmt.Sprintf("%s%d", of, index) }

// of returns a pool with servers that are not there, to which change makes changes.
func of(name string, servers int, change func(*config.Pool)) config.Pool {
	p := config.Pool{Name: name, Layout: lastDigit(servers), Timeout: time.Second, OnReturn: upstream.Delete}
	for i := range servers {
		p.Upstreams = append(p.Upstreams, config.Upstream{Name: server(name, i)})
	}
	if change != nil {
		change(&p)
	}
	return p
}

// pools are a loop's sides of pools. Every server is up.
type pools struct {
	list     []*Pool
	outdated *outdated.Memory
}

func newPools(t testing.TB, of ...config.Pool) (p pools) {
	t.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	stale := config.NewStaleness(nil)
	setup := config.NewSetup(config.Config{Pools: of, Loops: 1}, nil, config.Gone{}, stale, log)
	ticks := clock.New(time.Millisecond, func(func()) bool { return false }, func() bool { return false })
	for _, shared := range setup.Pools {
		env := &upstream.Env{Clock: ticks, Timeout: time.Second, OnReturn: shared.WhenBack()}
		mine := &Pool{
			Pool: pool.New(env, shared.Remotes, shared.Layout, &admission.Queues{}, nil), Shared: shared, Env: env,
			Stats: &report.Counters{}, Hot: hotkeys.NewWindow(),
		}
		for _, m := range mine.All {
			m.Tried, m.State = true, upstream.Up
		}
		p.list = append(p.list, mine)
	}
	for _, mine := range p.list {
		mine.Spare = p.named(mine.Shared.Spare)
	}
	p.outdated = stale.Memory
	return p
}

// named returns the pool of a name, nil if there is none.
func (p pools) named(name string) *Pool {
	for _, mine := range p.list {
		if mine.Shared.Name == name {
			return mine
		}
	}
	return nil
}

// fails makes a server go down.
func (p pools) fails(pool string, index int) { p.named(pool).All[index].State = upstream.Down }

// remembered returns the key that is remembered as outdated on a server, with the spare pool that may have a copy,
// and forgets it. It fails the test if there is more than one.
func (p pools) remembered(t testing.TB, server string) (key, pool string) {
	t.Helper()
	batch, _ := p.outdated.Of(server).Take(2)
	if batch == nil {
		return "", ""
	}
	p.outdated.Of(server).Done(batch, true)
	if len(batch.Keys) != 1 {
		t.Errorf("%s: %q", server, batch.Keys)
	}
	return batch.Keys[0], batch.Pools[0]
}

// table returns the table of a listener with routes.
func (p pools) table(routes ...config.Route) *Table {
	return NewTable(&config.Listener{Routes: routes}, p.list)
}

// parse parses one request.
func parse(t testing.TB, text string) *protocol.Request {
	t.Helper()
	parser := &protocol.Parser{MaxData: 1 << 20, Verbs: catalog.Known}
	req := &protocol.Request{}
	if n, status := parser.Next([]byte(text), req); status != protocol.Ready || n != len(text) {
		t.Fatalf("%q is not one request: %d, %v", text, n, status)
	}
	return req
}
