package main

import (
	"context"
	"net/netip"
	"os"
	"strings"
	"testing"
)

// A name with several addresses ends the program at the start, since it does not
// identify one server.
func TestNameWithSeveralAddresses(t *testing.T) {
	t.Parallel()
	o := newOptions()
	if _, err := o.parse([]string{"--listen", "127.0.0.1:0", "--upstream", "10.0.0.9,cache"}); err != nil {
		t.Fatal(err)
	}
	s, _, err := o.settings()
	if err != nil {
		t.Fatal(err)
	}
	s.lookup = func(_ context.Context, host string) ([]netip.Addr, error) {
		if host != "cache" {
			t.Errorf("%s is looked up", host)
		}
		return []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")}, nil
	}
	hangup := make(chan os.Signal)
	defer close(hangup)
	var said strings.Builder
	status := serve(s, "", nil, signals{make(chan os.Signal), hangup, hangup}, &said)
	expected := "memverbs: upstream cache:11211: cache has several addresses (10.0.0.1, 10.0.0.2): list each as a server of its own\n"
	if status != exitUnavailable || said.String() != expected {
		t.Errorf("status %d and %q, expected %d and %q", status, said.String(), exitUnavailable, expected)
	}
}
