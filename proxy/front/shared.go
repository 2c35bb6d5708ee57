package front

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/holding"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/near"
	"github.com/memverbs/memverbs/proxy/report"
	"github.com/memverbs/memverbs/proxy/secure"
	"github.com/memverbs/memverbs/proxy/warning"
	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Shared is what all loops of a server share.
type Shared struct {
	Config    config.Config // when it started; only settings that a reload does not change are used
	Pauses    pauses
	Log       *slog.Logger
	Context   context.Context
	Budget    memory.Budget
	viewQuota *views.Quota
	nearQuota *near.Quota
	missing   missing

	refusedKeys *warning.ByReason // keys that name verbs

	Loops       []*Loop
	aside       sync.Mutex // locked while a function passed to Elsewhere runs
	worksBeside func()     // called before each
	FirstVerb   func()     // called before a client's first verb

	cuts warning.Shared // of clients, see relief.go

	Clients  atomic.Int64
	Draining atomic.Bool   // clients are being dismissed
	Deserted atomic.Bool   // and no more clients are accepted
	Drained  chan struct{} // closed when all are gone after that

	Setup      atomic.Pointer[config.Setup] // the latest; nil before Open
	Started    time.Time
	Rejected   atomic.Uint64 // clients, because too many were connected
	Unaccepted atomic.Uint64 // failed attempts to accept a client
	Handshakes *secure.Handshakes
	desk       report.Desk
	Polls      *report.Polls // used by the first loop only
}

// pauses are times that tests shorten; see the constants.
type pauses struct{ Unmoved, LastRequests, ProbeEvery time.Duration }

const (
	// unmoved is how long a leaving client may read nothing of its replies, in addition
	// to the upstreams' time-out.
	unmoved = time.Minute
	// lastRequests is how long a dismissed client may go on: until it sends its first request if it
	// has just connected, or until it pauses if it pipelines.
	lastRequests = time.Second
	// probeEvery is how often an upstream is probed when it is idle; 0 for never.
	probeEvery = time.Second
)

// Departed is called when a client is gone.
func (s *Shared) Departed() {
	if s.Clients.Add(-1) == 0 && s.Deserted.Load() {
		select {
		case <-s.Drained:
		default:
			close(s.Drained)
		}
	}
}

// NewShared returns what the loops of a server will share until ctx is done.
func NewShared(ctx context.Context, wanted config.Config, log *slog.Logger) *Shared {
	s := &Shared{
		Config: wanted, Log: log, Context: ctx,
		Drained: make(chan struct{}), refusedKeys: &warning.ByReason{Most: refusedKeysMost, Pause: refusedKeysPause},
		Handshakes: secure.NewHandshakes(log), Polls: report.NewPolls(),
		Pauses: pauses{Unmoved: unmoved, LastRequests: lastRequests, ProbeEvery: probeEvery},
	}
	s.Budget.Limit = int64(wanted.BufferMemory)
	if wanted.ReadCacheUsed == nil {
		s.Config.ReadCacheUsed = func(int64) {}
	}
	if wanted.FirstVerb == nil {
		s.Config.FirstVerb = func() {}
	}
	if wanted.WorksBeside == nil {
		s.Config.WorksBeside = func() {}
	}
	if wanted.Sockets == nil {
		s.Config.Sockets = &listen.Sockets{}
	}
	if wanted.LogLinesLost == nil {
		s.Config.LogLinesLost = func() uint64 { return 0 }
	}
	s.FirstVerb, s.worksBeside = sync.OnceFunc(s.Config.FirstVerb), sync.OnceFunc(s.Config.WorksBeside)
	s.nearQuota = near.NewQuota(&s.Budget)
	s.missing.table = holding.NewTable(&s.Budget)
	s.viewQuota = views.NewQuota(wanted.ReadCache, s.Config.ReadCacheUsed)
	return s
}

// Elsewhere is Elsewhere of [execution.Env]. Only one function runs at a time, to leave processors
// to the loops.
func (s *Shared) Elsewhere(do, then func()) {
	go func() {
		s.worksBeside()
		s.aside.Lock()
		do()
		s.aside.Unlock()
		then()
	}()
}

// Limits of what is logged about refused keys, for the whole process.
const (
	refusedKeysPause = time.Minute // between two lines of a reason
	refusedKeysMost  = 10          // reasons at a time: lines in a minute
)
