package golden

import (
	"bytes"
	"context"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/migration"
	"github.com/memverbs/memverbs/proxy/moving"
	"github.com/memverbs/memverbs/proxy/placement"
	"github.com/memverbs/memverbs/tests/harness"
)

// moves has the items by which proxies of a release tell each other of a pool's servers, and of keys that move among them.
const moves = "1.0/moves.stored.txt"

// A proxy of this version that starts among proxies of a release learns from the servers which list of them is in use, and which
// move is under way, or has ended. It would store the same.
func TestMovesOfReleases(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, harness.Newest)
	play(t, moves, m.Addr)
	server := migration.Server{Name: m.Addr, Dial: func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", m.Addr)
	}}
	two := []string{"127.0.10.1:21211:1 one", "127.0.10.2:21211:1 two"}
	three := append(slices.Clone(two), "127.0.10.3:21211:1 three")
	stored := storedItems(t, moves)
	for pool, last := range map[string][]string{"begun": two, "swept": three, "leaving": three, "ended": three} {
		f := migration.Inquire(t.Context(), pool, []migration.Server{server}, harness.Patience)
		if !slices.Equal(f.Last.Servers, last) || !slices.Equal(f.From.Servers, two) || !slices.Equal(f.To.Servers, three) || f.Ended.IsZero() == (pool == "ended") {
			t.Errorf("%s: %+v", pool, f)
		}
		if time.Since(f.Began) < 9*time.Minute { // of ten, less what memcached rounds
			t.Errorf("%s: it began at %v", pool, f.Began)
		}
		mark := stored["memverbs:move:"+pool].value
		if text := (placement.Record{f.To, f.From}).String(); text != string(mark) {
			t.Errorf("%s: the mark %q would be %q", pool, mark, text)
		}
		record := stored[string(placement.Key(pool))].value
		if text := placement.ParseRecord(bytes.Clone(record)).String(); text != string(record) {
			t.Errorf("%s: the record %q would be %q", pool, record, text)
		}
	}
	if placeholder := string(stored["moving"].value); placeholder != moving.Placeholder {
		t.Errorf("the placeholder %q would be %q", placeholder, moving.Placeholder)
	}
}
