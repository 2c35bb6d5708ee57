package transport

import (
	"log/slog"
	"testing"
)

// MaxLoops event loops can be started, and gnet makes no more.
func TestMostLoops(t *testing.T) {
	for n, possible := range map[int]bool{MaxLoops: true, MaxLoops + 1: false} {
		e, err := Start(n, slog.New(slog.DiscardHandler))
		if (err == nil) != possible {
			t.Errorf("%d loops: %v", n, err)
		}
		if err == nil {
			_ = e.Stop()
		}
	}
}
