package service

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"os"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
)

// A name with several addresses ends the program at the start, since it does not
// identify one server.
func TestNameWithSeveralAddresses(t *testing.T) {
	t.Parallel()
	o := settings.NewFlags()
	if _, err := o.Parse([]string{"--listen", "127.0.0.1:0", "--upstream", "10.0.0.9,cache"}); err != nil {
		t.Fatal(err)
	}
	s, _, err := o.Settings()
	if err != nil {
		t.Fatal(err)
	}
	s.Lookup = func(_ context.Context, host string) ([]netip.Addr, error) {
		if host != "cache" {
			t.Errorf("%s is looked up", host)
		}
		return []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")}, nil
	}
	hangup := make(chan os.Signal)
	defer close(hangup)
	err = Service{Started: s, Log: slog.New(slog.DiscardHandler)}.run(signals{make(chan os.Signal), hangup, hangup})
	const says = "upstream cache:11211: cache has several addresses (10.0.0.1, 10.0.0.2): list each as a server of its own"
	if outside := (setting.Outside{}); err == nil || err.Error() != says || !errors.As(err, &outside) {
		t.Errorf("%v, expected %s", err, says)
	}
}
