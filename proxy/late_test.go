package proxy

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/embedded"
	"github.com/memverbs/memverbs/proxy/config"
)

// lateUpstream has a store of its own. Connecting to it takes until outcome is closed,
// and fails if outcome has an error then.
func lateUpstream(t *testing.T, name string, outcome <-chan error) config.Upstream {
	t.Helper()
	store, err := embedded.New(8<<20, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return config.Upstream{Name: name, Dial: func(ctx context.Context) (net.Conn, error) {
		select {
		case err := <-outcome:
			if err != nil {
				return nil, err
			}
			return store.Dial()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
}

// byPlace places keys that begin with a on the first upstream, and all others on the
// second.
type byPlace struct{}

func (byPlace) Locate(key []byte) int {
	if key[0] == 'a' {
		return 0
	}
	return 1
}

// startLate starts a proxy while its first upstream, of two, is still being
// connected to.
func startLate(t *testing.T) (s *Server, outcome chan error) {
	t.Helper()
	outcome = make(chan error, 1)
	ready := make(chan error)
	close(ready)
	s = newServer(1, lateUpstream(t, "late", outcome), lateUpstream(t, "prompt", ready))
	s.shared.Config.Pools[0].Layout, s.shared.Config.Pools[0].ConnectTimeout, s.shared.Config.Drain = byPlace{}, 20*time.Second, 100*time.Millisecond
	started := make(chan error, 1)
	go func() { started <- s.Start() }()
	select {
	case err := <-started:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("clients are not served while an upstream is being connected to")
	}
	t.Cleanup(s.Shutdown)
	return s, outcome
}
