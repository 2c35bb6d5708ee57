package secure

import (
	"errors"
	"log/slog"
	"net"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/warning"
)

const (
	// mostAtOnce is how many handshakes with clients may run at once. A stalled one takes a goroutine
	// and, as measured, up to 30 kB, or 80 kB if the client has sent nearly mostShaking. So there is
	// room for many stalled ones beside the others.
	mostAtOnce = 2048
	// deadline is how long a handshake may take.
	deadline = 10 * time.Second
	// patience is how long a handshake may take while mostAtOnce are running and another client
	// waits. It is not shorter, because when all clients reconnect at once, perhaps from one address,
	// honest handshakes take that long.
	patience = 500 * time.Millisecond
)

// Handshakes limits the handshakes with clients, so that they leave memory and processor time to
// others: mostAtOnce may run at a time, of which only some compute while the others wait for their
// clients. Clients that stall delay nobody until there are mostAtOnce of them. Then they delay new
// clients, but do not keep them out, because the oldest handshake is broken off. It is safe for
// concurrent use.
type Handshakes struct {
	// Full and Resumed count handshakes that have ended well, those of a new session and of one
	// that was resumed, and Failed the others.
	Full, Resumed, Failed atomic.Uint64

	log       *slog.Logger
	slots     chan token // one element for each handshake
	computing chan token // one element for each handshake that computes now

	mu       sync.Mutex
	open     []*handshake // the oldest first
	hurried  bool
	failures warning.Limited
}

// handshake is one with a client.
type handshake struct {
	net.Conn
	began   time.Time
	evicted bool
}

// NewHandshakes returns Handshakes that log failures to log, at most one each second.
func NewHandshakes(log *slog.Logger) *Handshakes { return newHandshakes(log, mostAtOnce) }

// newHandshakes is NewHandshakes with another limit in place of mostAtOnce.
func newHandshakes(log *slog.Logger, most int) *Handshakes {
	return &Handshakes{
		log:       log,
		slots:     make(chan token, most),
		computing: make(chan token, max(1, runtime.NumCPU()/2)),
	}
}

// Take waits until a handshake with a client of a listener, named at in the log, can begin. It may break off another
// one that has taken long. Call [Place.Shake], which releases the place.
func (h *Handshakes) Take(conn net.Conn, at string) *Place {
	for {
		select {
		case h.slots <- token{}:
			return h.place(conn, at)
		default:
		}
		select {
		case h.slots <- token{}:
			return h.place(conn, at)
		case <-time.After(h.evict()):
		}
	}
}

func (h *Handshakes) place(conn net.Conn, at string) *Place {
	p := &Place{h, at, handshake{Conn: conn, began: time.Now()}}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = append(h.open, &p.handshake)
	limit := deadline
	if h.hurried {
		limit = patience
	}
	_ = conn.SetDeadline(p.began.Add(limit))
	return p
}

// evict breaks the oldest handshake off if it has taken long. It returns how long to wait before
// the next attempt.
func (h *Handshakes) evict() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.open) == 0 {
		return patience
	}
	oldest := h.open[0]
	if left := patience - time.Since(oldest.began); left > 0 {
		return left
	}
	h.open = slices.Delete(h.open, 0, 1)
	oldest.evicted = true
	_ = oldest.SetDeadline(time.Now())
	return patience
}

// Hurry limits all handshakes, including later ones, to patience, because the process is about to
// end.
func (h *Handshakes) Hurry() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hurried = true
	for _, open := range h.open {
		_ = open.SetDeadline(time.Now().Add(patience))
	}
}

// note logs a failure, unless one was logged a moment ago.
func (h *Handshakes) note(p *Place, err error) {
	text := reasonOfClient(err)
	if errors.Is(err, errEvicted) {
		text = errEvicted.Error()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures.Log(h.log, "TLS handshake with a client failed", "client", p.RemoteAddr().String(), "listener", p.at, "reason", text)
}

// Place is one of the mostAtOnce places for handshakes with clients.
type Place struct {
	of *Handshakes
	at string // the listener
	handshake
}
