package admin

import (
	"context"
	"time"

	"github.com/memverbs/memverbs/proxy/history"
)

// record adds snapshots to the history until ctx is done. If the proxy does not answer, the history has a gap.
func record(ctx context.Context, l *looker, h *history.History) {
	ticker := time.NewTicker(history.Step)
	defer ticker.Stop()
	for {
		if s, err := l.look(); err == nil {
			h.Add(s)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
