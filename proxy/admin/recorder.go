package admin

import (
	"context"
	"time"

	"github.com/memverbs/memverbs/proxy/history"
)

// record adds snapshots to the history until ctx is done. If the proxy does not answer, the history has a gap. It does not
// share the looker's snapshots: whoever looks first after the start would get one that was taken before the servers were reached.
func record(ctx context.Context, source Source, h *history.History) {
	ticker := time.NewTicker(history.Step)
	defer ticker.Stop()
	for {
		recordOnce(ctx, source, h)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func recordOnce(ctx context.Context, source Source, h *history.History) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if s, err := source(ctx); err == nil {
		h.Add(s)
	}
}
