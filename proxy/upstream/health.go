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

	outages outages
}

// gained is called by a loop when its connection has come up. flushes says that the upstream
// has been flushed if it was down before.
func (h *health) gained(version Version, flushes bool) {
	if h.up.Add(1) < h.loops {
		return
	}
	h.noted.Store(false)
	h.log.Info("upstream is up", "upstream", h.name, "version", version.String())
	switch {
	case !h.outages.ended():
	case flushes:
		h.log.Info("upstream was flushed on its return", "upstream", h.name)
	default:
		h.log.Warn("upstream is back, and may have values that clients have changed or deleted meanwhile; with on-return: flush it is flushed first", "upstream", h.name)
	}
}

// lost is called by a loop when a connection that was up is lost. It logs nothing once
// running is done, as the proxy is then shutting down.
func (h *health) lost(running context.Context, why string) {
	if h.up.Add(-1) == h.loops-1 && running.Err() == nil {
		h.noted.Store(true)
		h.outages.begin()
		h.log.Warn("upstream is down", "upstream", h.name, "reason", why)
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
		h.outages.begin()
		h.log.Warn("upstream can't be reached", "upstream", h.name, "reason", why)
	}
}
