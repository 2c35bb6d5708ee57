package upstream

import (
	"log/slog"
	"sync/atomic"
)

// health is how one upstream is doing, as all loops see it. Every loop has
// connections of its own; the log gets one line for all of them.
type health struct {
	name  string
	log   *slog.Logger
	loops int32
	up    atomic.Int32
	noted atomic.Bool // that it is missing
	alone atomic.Bool // it has been noted that there is no second connection
}

// gained is called by a loop whose connection is up.
func (h *health) gained(u *Upstream) {
	if h.up.Add(1) == h.loops {
		h.noted.Store(false)
		h.log.Info("upstream is up", "upstream", h.name, "version", u.Version.String())
	}
}

// lost is called by a loop whose connection was up and is gone.
func (h *health) lost(u *Upstream, why string) {
	if h.up.Add(-1) == h.loops-1 && u.env.Context.Err() == nil {
		h.noted.Store(true)
		h.log.Warn("upstream is down: its keys are refused until it is back", "upstream", h.name, "reason", why)
	}
}

// lacksSecond is called by a loop that could not get a second connection.
func (h *health) lacksSecond(u *Upstream, why string) {
	if u.env.Context.Err() == nil && h.alone.CompareAndSwap(false, true) {
		h.log.Warn("no second connection to upstream: small values wait behind large ones until there is", "upstream", h.name, "reason", why)
	}
}

// hasSecond is called by a loop that has got one.
func (h *health) hasSecond() { h.alone.Store(false) }

// missing is called by a loop that tried to connect for the first time and
// could not.
func (h *health) missing(why string) {
	if h.noted.CompareAndSwap(false, true) {
		h.log.Warn("upstream can't be reached: its keys are refused until it can", "upstream", h.name, "reason", why)
	}
}
