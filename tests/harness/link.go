package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// Link is a proxy in front of a server, which passes bytes on in both directions. It
// has faults when a test says so.
type Link struct {
	Addr   string
	server string // its address
	proxy  *toxiproxy.Proxy
}

// StartLink starts a sound link to the server at addr, and ends it with the
// test.
func StartLink(t testing.TB, addr string) *Link {
	t.Helper()
	zerolog.SetGlobalLevel(zerolog.Disabled)
	for range portTries {
		l := &Link{Addr: loopback(freePort(t)), server: addr}
		if l.start() == nil {
			t.Cleanup(func() { l.proxy.Stop() })
			return l
		}
	}
	t.Fatalf("no port for a link to %s", addr)
	return nil
}

// start starts another proxy.
func (l *Link) start() error {
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	l.proxy = toxiproxy.NewProxy(server, l.Addr, l.Addr, l.server)
	return l.proxy.Start()
}

// Toxic is a fault of a link's connections: one of toxiproxy's toxics, whose
// documentation describes their types and attributes.
type Toxic struct {
	Type       string         `json:"type"`
	Stream     string         `json:"stream"`     // upstream or downstream: which way it works
	Toxicity   float64        `json:"toxicity"`   // the share of the connections that it is wrong with
	Attributes map[string]any `json:"attributes"` // times are in milliseconds
}

// Add adds a toxic to the link. There can be one of each type and direction.
func (l *Link) Add(t testing.TB, toxic Toxic) {
	t.Helper()
	text, err := json.Marshal(toxic)
	if err == nil {
		err = l.change(t, func(of *toxiproxy.ToxicCollection) error {
			_, err := of.AddToxicJson(bytes.NewReader(text))
			return err
		})
	}
	if err != nil {
		t.Fatalf("toxic %+v: %v", toxic, err)
	}
}

// Mend takes all toxics off the link.
func (l *Link) Mend(t testing.TB) {
	t.Helper()
	_ = l.change(t, func(of *toxiproxy.ToxicCollection) error {
		of.ResetToxics(context.Background())
		return nil
	})
}

// changeTries is how many proxies a change of toxics takes at most.
const changeTries = 3

// change changes the toxics of the link. toxiproxy may wait for ever there, for what passes on the bytes of a connection that ends at
// that moment: https://github.com/Shopify/toxiproxy/issues/558. Another proxy then takes the place of that one.
func (l *Link) change(t testing.TB, change func(of *toxiproxy.ToxicCollection) error) error {
	t.Helper()
	for range changeTries {
		changed, toxics := make(chan error, 1), l.proxy.Toxics
		go func() { changed <- change(toxics) }()
		select {
		case err := <-changed:
			return err
		case <-time.After(Patience / 2):
			go l.proxy.Stop() // it closes the listener, and may then wait for ever too
			Await(t, "another link on "+l.Addr, func() bool { return l.start() == nil })
		}
	}
	t.Fatalf("the toxics of the link to %s can't be changed", l.server)
	return nil
}

// Cut closes all connections and refuses new ones until Join.
func (l *Link) Cut() { l.proxy.Stop() }

// Join lets connections be made again, after Cut.
func (l *Link) Join(t testing.TB) {
	t.Helper()
	if err := l.proxy.Start(); err != nil {
		t.Fatal(err)
	}
}
