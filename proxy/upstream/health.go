package upstream

import (
	"context"
	"log/slog"
	"sync/atomic"
)

// health is the health of one upstream, shared by all loops. Every loop has its own
// connections; the log gets one line for all of them.
type health struct {
	name  string
	log   *slog.Logger
	loops int32
	up    atomic.Int32
	noted atomic.Bool // its being down has been logged
	alone atomic.Bool // the lack of a second connection has been logged
}

// gained is called by a loop when its connection has come up.
func (h *health) gained(version Version) {
	if h.up.Add(1) == h.loops {
		h.noted.Store(false)
		h.log.Info("upstream is up", "upstream", h.name, "version", version.String())
	}
}

// lost is called by a loop when a connection that was up is lost. It logs nothing once
// running is done, as the proxy is then shutting down.
func (h *health) lost(running context.Context, why string) {
	if h.up.Add(-1) == h.loops-1 && running.Err() == nil {
		h.noted.Store(true)
		h.log.Warn("upstream is down: its keys are refused until it is back", "upstream", h.name, "reason", why)
	}
}

// removed is called by a loop that has closed a connection that was up, because the
// upstream was removed from its pool.
func (h *health) removed() { h.up.Add(-1) }

// lacksSecond is called by a loop that could not open its second connection. Like lost, it
// logs nothing once running is done.
func (h *health) lacksSecond(running context.Context, why string) {
	if running.Err() == nil && h.alone.CompareAndSwap(false, true) {
		h.log.Warn("no second connection to upstream: small values wait behind large ones until there is", "upstream", h.name, "reason", why)
	}
}

// hasSecond is called by a loop whose second connection has come up.
func (h *health) hasSecond() { h.alone.Store(false) }

// missing is called by a loop whose first attempt to connect has failed.
func (h *health) missing(why string) {
	if h.noted.CompareAndSwap(false, true) {
		h.log.Warn("upstream can't be reached: its keys are refused until it can", "upstream", h.name, "reason", why)
	}
}
