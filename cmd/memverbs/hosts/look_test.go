package hosts

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// slowLookup is a lookup that takes a while.
func (f *fakeNet) slowLookup(takes time.Duration) Lookup {
	return func(ctx context.Context, name string) ([]netip.Addr, error) {
		select {
		case <-time.After(takes):
			return f.lookup(ctx, name)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// connectWithin is connect with the time that an upstream has for Dial.
func connectWithin(ctx context.Context, h *Host, limit time.Duration) (net.Conn, error) {
	if err := h.Resolve(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return h.Dial(ctx)
}

// A lookup has its own time: a name server that does not answer delays it, and connecting works after
// that. If none answers, the wait has an end, and whoever connects later profits from the lookup all the
// same.
func TestSilentNameServer(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		takes time.Duration
		says  string
	}{
		{5 * time.Second, ""},
		{15 * time.Second, "cache: looking up its address timed out"},
		{time.Hour, "cache: looking up its address timed out"},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fakeNet{answer: []string{"10.0.0.1"}}
			h := f.host()
			h.lookup = f.slowLookup(test.takes)
			began := time.Now()
			if _, err := connectWithin(t.Context(), h, time.Second); errorText(err) != test.says {
				t.Errorf("%v: %v, expected %q", test.takes, err, test.says)
			}
			if took := time.Since(began); took > firstAnswer {
				t.Errorf("%v: it took %v", test.takes, took)
			}
			time.Sleep(10 * time.Second)
			_, err := connectWithin(t.Context(), h, time.Second)
			if works := test.takes < time.Minute; (err == nil) != works {
				t.Errorf("%v: later %v", test.takes, err)
			}
			time.Sleep(longestLookup)
		})
	}
}

// The last known address is tried while a lookup runs, and if it fails.
func TestLastKnownAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		takes time.Duration
		err   error
	}{
		{"silent", time.Hour, nil},
		{"SERVFAIL", 0, &net.DNSError{Err: "server misbehaving", Name: "cache", IsTemporary: true}},
		{"NXDOMAIN", 0, &net.DNSError{Err: "no such host", Name: "cache", IsNotFound: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeNet{answer: []string{"10.0.0.1"}}
				h := f.host()
				dial(t, h, f, "10.0.0.1:11211")
				h.Ended()
				h.lookup, f.err = f.slowLookup(test.takes), test.err
				began := time.Now()
				dial(t, h, f, "10.0.0.1:11211")
				if took := time.Since(began); took > freshAnswer {
					t.Errorf("it took %v", took)
				}
				if other, err := h.Look(t.Context()); other != nil || err == nil {
					t.Errorf("a lookup that fails: %v, %v", other, err)
				}
				time.Sleep(longestLookup)
			})
		})
	}
}

// What Look finds out about a name while there are connections.
func TestLook(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		answers [][]string // of one lookup after another; the last one from then on
		moves   bool
		says    string
	}{
		{"the same", [][]string{{"10.0.0.1"}}, false, ""},
		{"another", [][]string{{"10.0.0.2"}}, true, ""},
		{"a family more", [][]string{{"10.0.0.1", "fe80::1"}}, false, ""},
		{"in turn", [][]string{{"10.0.0.2"}, {"10.0.0.1"}}, false, ""},
		{"several", [][]string{{"10.0.0.1", "10.0.0.2"}}, false, "cache has several addresses (10.0.0.1, 10.0.0.2): list each as a server of its own"},
		{"several later", [][]string{{"10.0.0.2"}, {"10.0.0.2", "10.0.0.3"}}, false, "cache has several addresses (10.0.0.2, 10.0.0.3): list each as a server of its own"},
		{"where nothing listens", [][]string{{"10.0.0.9"}}, false, "refused"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeNet{answer: []string{"10.0.0.1"}, refuses: map[string]error{"10.0.0.9:11211": errors.New("refused")}}
				h := f.host()
				dial(t, h, f, "10.0.0.1:11211")
				h.lookup = func(ctx context.Context, name string) ([]netip.Addr, error) {
					f.answers(test.answers[0]...)
					test.answers = test.answers[min(1, len(test.answers)-1):]
					return f.lookup(ctx, name)
				}
				other, err := h.Look(t.Context())
				if (other != nil) != test.moves || errorText(err) != test.says {
					t.Fatalf("%v, %v; expected another host: %v, and %q", other, err, test.moves, test.says)
				}
				dial(t, h, f, "10.0.0.1:11211") // whatever has been found out
				if !test.moves {
					return
				}
				h.Leave()
				h.Ended()
				h.Ended()
				dial(t, h, f, "10.0.0.1:11211") // also after that, for what is in flight there
				dial(t, other, f, "10.0.0.2:11211")
				if h.Address() != "10.0.0.1:11211" || other.Address() != "10.0.0.2:11211" {
					t.Errorf("%s and %s", h.Address(), other.Address())
				}
			})
		})
	}
}
