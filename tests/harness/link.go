package harness

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// Link is a proxy in front of a server, which passes bytes on in both directions. It
// has faults when a test says so.
type Link struct {
	Addr  string
	proxy *toxiproxy.Proxy
}

// StartLink starts a sound link to the server at addr, and ends it with the
// test.
func StartLink(t testing.TB, addr string) *Link {
	t.Helper()
	zerolog.SetGlobalLevel(zerolog.Disabled)
	server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	for range portTries {
		l := &Link{Addr: loopback(freePort(t))}
		l.proxy = toxiproxy.NewProxy(server, l.Addr, l.Addr, addr)
		if l.proxy.Start() == nil {
			t.Cleanup(l.proxy.Stop)
			return l
		}
	}
	t.Fatalf("no port for a link to %s", addr)
	return nil
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
		_, err = l.proxy.Toxics.AddToxicJson(strings.NewReader(string(text)))
	}
	if err != nil {
		t.Fatalf("toxic %+v: %v", toxic, err)
	}
}

// Mend takes all toxics off the link.
func (l *Link) Mend() { l.proxy.Toxics.ResetToxics(context.Background()) }

// Cut closes all connections and refuses new ones until Join.
func (l *Link) Cut() { l.proxy.Stop() }

// Join lets connections be made again, after Cut.
func (l *Link) Join(t testing.TB) {
	t.Helper()
	if err := l.proxy.Start(); err != nil {
		t.Fatal(err)
	}
}
