package upstream

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/proxy/warning"
)

// refusalPause is the least time between two log lines that an upstream refuses to be cleared, which is
// tried again and again.
const refusalPause = time.Minute

// health logs changes in the state of an upstream, one line for all loops.
type health struct {
	log   *slog.Logger    // tells the upstream with each line
	alone atomic.Bool     // the lack of a second connection has been logged
	proxy atomic.Bool     // that it is not memcached itself has been logged
	stays *warning.Shared // limits how often it is logged that the upstream stays down because it refuses to be cleared
}

// isDown is called when an outage begins. served says that the upstream has been used before.
func (h *health) isDown(why string, served bool) {
	if served {
		h.log.Warn("upstream is down", "reason", why)
	} else {
		h.log.Warn("upstream can't be reached", "reason", why)
	}
}

// refusesClearing is called when the upstream has answered, but refuses to have what is outdated deleted.
func (h *health) refusesClearing(why string) {
	h.stays.Log(h.log, "upstream answers, but stays down: what was changed or deleted while it was away can't be deleted there; make it accept that, or set on-return: keep", "reason", why)
}

// isBack is called when all loops use the upstream again, with the outage that has ended.
func (h *health) isBack(v Version, o recovery) {
	if o.lasted == 0 {
		h.log.Info("upstream is up", "version", v.String())
	} else {
		h.log.Info("upstream is up", "version", v.String(), "away", o.lasted.Round(time.Millisecond), "refused", o.refused)
	}
}

// isCleared is called then, too, with how many keys were deleted there, and how many changes are not known.
func (h *health) isCleared(deleted, forgotten uint64, doubt doubt) {
	if deleted > 0 {
		h.log.Info("keys that were changed or deleted while the upstream was away were deleted there", "keys", deleted)
	}
	if forgotten > 0 {
		h.log.Warn("upstream may have outdated values: more keys were changed or deleted while it was away than memverbs remembers; with on-return: flush it is flushed then", "forgotten", forgotten)
	}
	switch doubt {
	case atStart:
		h.log.Warn("upstream may have outdated values: it was away when memverbs started, which knows nothing of what was changed or deleted before")
	case elsewhere:
		h.log.Warn("upstream may have outdated values: it was in no pool for a while; with on-return: flush it is flushed then")
	}
}

// lacksSecond is called by a loop that could not open its second connection. It logs nothing once
// running is done, as the proxy is then shutting down.
func (h *health) lacksSecond(running context.Context, why string) {
	if running.Err() == nil && h.alone.CompareAndSwap(false, true) {
		h.log.Warn("no second connection to upstream: small values wait behind large ones until there is", "reason", why)
	}
}

// warnOfProxy logs once that the upstream does not seem to be memcached itself.
func (h *health) warnOfProxy() {
	if h.proxy.CompareAndSwap(false, true) {
		h.log.Warn("upstream does not say that it is memcached itself; if it is a proxy, give its servers instead: verbs need all of a structure on one server, and whenever they use a structure they read the item under its key, as they are not told of a restart behind it")
	}
}

// hasSecond is called by a loop whose second connection has come up.
func (h *health) hasSecond() { h.alone.Store(false) }
