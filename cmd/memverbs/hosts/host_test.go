package hosts

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// patience is longer than anything here takes.
const patience = 20 * time.Second

// fakeNet is a name service and its servers.
type fakeNet struct {
	mu      sync.Mutex
	answer  []string         // addresses for every lookup
	err     error            // returned instead
	lookups int              // so far
	refuses map[string]error // errors of connecting to an address
	dialed  []string         // addresses that were connected to
}

func (f *fakeNet) host() *Host {
	h := New("cache", "11211", f.lookup)
	h.dialer = f.dial
	return h
}

func (f *fakeNet) lookup(context.Context, string) (found []netip.Addr, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lookups++
	for _, a := range f.answer {
		found = append(found, netip.MustParseAddr(a))
	}
	return found, f.err
}

func (f *fakeNet) dial(_ context.Context, _, address string) (net.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.refuses[address]; err != nil {
		return nil, err
	}
	f.dialed = append(f.dialed, address)
	conn, _ := net.Pipe()
	return conn, nil
}

func (f *fakeNet) answers(addrs ...string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answer, f.err = addrs, nil
}

// connect connects as an upstream does.
func connect(ctx context.Context, h *Host) (net.Conn, error) {
	if err := h.Resolve(ctx); err != nil {
		return nil, err
	}
	return h.Dial(ctx)
}

// dial connects and expects that address is used.
func dial(t *testing.T, h *Host, f *fakeNet, address string) {
	t.Helper()
	if _, err := connect(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if last := f.dialed[len(f.dialed)-1]; last != address {
		t.Errorf("connected to %s, expected %s", last, address)
	}
}

// An address is used as long as any connection to it exists, and a new lookup after
// that.
func TestChangedAnswer(t *testing.T) {
	t.Parallel()
	f := &fakeNet{answer: []string{"10.0.0.1"}}
	h := f.host()
	dial(t, h, f, "10.0.0.1:11211")
	f.answers("10.0.0.2")
	dial(t, h, f, "10.0.0.1:11211")
	h.Ended()
	dial(t, h, f, "10.0.0.1:11211")
	h.Ended()
	h.Ended()
	dial(t, h, f, "10.0.0.2:11211")
}

// Concurrent connections use one address, even if every lookup returns another.
func TestManyConnect(t *testing.T) {
	t.Parallel()
	f := &fakeNet{}
	h := f.host()
	var n atomic.Int32
	h.lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.AddrFrom4([4]byte{10, 0, 0, byte(n.Add(1))})}, nil
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := connect(t.Context(), h); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, address := range f.dialed {
		if address != f.dialed[0] {
			t.Errorf("connected to %s and to %s", f.dialed[0], address)
		}
	}
	if len(f.dialed) != 50 {
		t.Errorf("%d connections, expected 50", len(f.dialed))
	}
}

// A connection is not used if all others to its address have ended meanwhile.
func TestAddressLeftMeanwhile(t *testing.T) {
	t.Parallel()
	f := &fakeNet{answer: []string{"10.0.0.1"}}
	h := f.host()
	dial(t, h, f, "10.0.0.1:11211")
	f.answers("10.0.0.2")
	h.dialer = func(ctx context.Context, network, address string) (net.Conn, error) {
		h.dialer = f.dial
		h.Ended()
		return f.dial(ctx, network, address)
	}
	dial(t, h, f, "10.0.0.2:11211")
}

// Both IP families are tried in turn, and all connections use the result.
func TestBothFamilies(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	f := &fakeNet{answer: []string{"::1", "127.0.0.1", "::ffff:127.0.0.1"}, refuses: map[string]error{"127.0.0.1:11211": refused}}
	h := f.host()
	dial(t, h, f, "[::1]:11211")
	f.refuses = nil
	dial(t, h, f, "[::1]:11211")
	h.Ended()
	h.Ended()
	dial(t, h, f, "127.0.0.1:11211")
	h.Ended()
	f.refuses = map[string]error{"127.0.0.1:11211": refused, "[::1]:11211": errors.New("unreachable")}
	if _, err := connect(t.Context(), h); err != refused {
		t.Errorf("%v, expected what the first address said", err)
	}
}

// The attempt on the first address leaves time for the second.
func TestTimeIsShared(t *testing.T) {
	t.Parallel()
	f := &fakeNet{answer: []string{"::1", "127.0.0.1"}}
	h := f.host()
	h.dialer = func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasPrefix(address, "127.") {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return f.dial(ctx, network, address)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := h.Dial(ctx); err != nil {
		t.Error(err)
	}
}

func TestSeveralAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ answer, says string }{
		{"10.0.0.1", ""},
		{"10.0.0.1 10.0.0.1 fe80::1 fe80::2", ""},
		{"fe80::1", ""},
		{"10.0.0.2 10.0.0.1", "cache has several addresses (10.0.0.1, 10.0.0.2): list each as a server of its own"},
		{"fe80::2 fe80::1", "cache has several addresses (fe80::1, fe80::2): list each as a server of its own"},
		{"10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.4 10.0.0.5 10.0.0.6 fe80::1",
			"cache has several addresses (10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4, and 2 more): list each as a server of its own"},
	} {
		h := (&fakeNet{answer: strings.Fields(test.answer)}).host()
		_, dialErr := connect(t.Context(), h)
		for _, err := range []error{dialErr, h.Check(t.Context())} {
			if says := errorText(err); says != test.says {
				t.Errorf("%s: %q, expected %q", test.answer, says, test.says)
			}
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Errors don't name name servers, and after a failed lookup the next may succeed.
func TestFailedLookup(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		says string
	}{
		{nil, "cache: no such host"},
		{&net.DNSError{Err: "no such host", Name: "cache", Server: "10.0.0.2:53", IsNotFound: true}, "cache: no such host"},
		{&net.DNSError{Err: "read udp 10.0.0.2:53: i/o timeout", Name: "cache", Server: "10.0.0.2:53", IsTimeout: true}, "cache: looking up its address timed out"},
		{&net.DNSError{Err: "dial udp 10.0.0.2:53: refused", Name: "cache", Server: "10.0.0.2:53"}, "cache: its address can't be looked up now"},
		{fmt.Errorf("lookup: %w", context.DeadlineExceeded), "cache: looking up its address timed out"},
	} {
		f := &fakeNet{err: test.err}
		h := f.host()
		if err := h.Check(t.Context()); err != nil {
			t.Errorf("%v: the check says %v", test.err, err)
		}
		if _, err := connect(t.Context(), h); errorText(err) != test.says {
			t.Errorf("%v: %v, expected %q", test.err, err, test.says)
		}
		f.answers("10.0.0.1")
		dial(t, h, f, "10.0.0.1:11211")
	}
}

// While one caller looks the name up the others wait, but only until their deadlines.
func TestSlowLookup(t *testing.T) {
	t.Parallel()
	f := &fakeNet{}
	h := f.host()
	asked, answer := make(chan struct{}, 2), make(chan struct{})
	h.lookup = func(context.Context, string) ([]netip.Addr, error) {
		asked <- struct{}{}
		<-answer
		return nil, nil
	}
	results := make(chan error, 2)
	go func() { _, err := connect(t.Context(), h); results <- err }()
	<-asked
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := connect(short, h); errorText(err) != "cache: looking up its address timed out" {
		t.Errorf("%v, expected that looking up its address timed out", err)
	}
	go func() { _, err := connect(t.Context(), h); results <- err }()
	close(answer)
	for range 2 {
		select {
		case err := <-results:
			if errorText(err) != "cache: no such host" {
				t.Errorf("%v", err)
			}
		case <-time.After(patience):
			t.Fatal("somebody waits for ever")
		}
	}
}
