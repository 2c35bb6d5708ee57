package settings

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
)

// finding is the settings of how servers are found that are not listed in the settings.
type finding struct {
	resolver      string
	discoverEvery time.Duration
	leaveAfter    time.Duration
	settle        time.Duration
	unconfirmed   string
	move          string
	warmFrom      string // the name of another pool
}

// The values of move.
const (
	miss     = "miss"
	copyOver = "copy"
)

// The values of unconfirmed.
const (
	refuse = "refuse"
	serve  = "serve"
)

func (s *finding) define(f *pflag.FlagSet) {
	setting.Define(f, &s.resolver, "", setting.Optional(checkResolver).Sample("127.0.0.1:53").AtOnce(), "resolver", "`address`, host:port, of the name server that is asked for servers, in place of those in /etc/resolv.conf")
	setting.Define(f, &s.discoverEvery, 10*time.Second, setting.Duration(time.Second).AtOnce(), "discover-every", "how often what lists the servers is asked for them")
	setting.Define(f, &s.leaveAfter, time.Minute, setting.Duration(time.Second).AtOnce(), "leave-after", "how long a server that is not listed any more counts as down, before its keys move to others")
	setting.Define(f, &s.settle, 30*time.Second, setting.Duration(0).AtOnce(), "settle", "how long it may take until all proxies know that the servers have changed: meanwhile verbs are\nrefused on keys that move; 0 if there is only one proxy")
	setting.Define(f, &s.unconfirmed, refuse, setting.OneOf(refuse, serve).AtOnce(), "unconfirmed", "what becomes of verbs when what lists the servers has not answered for half of settle: refuse, or\nserve as before")
	setting.Define(f, &s.move, miss, setting.OneOf(miss, copyOver).AtOnce(), "move", "what becomes of plain keys that move when the servers change: miss has them miss, copy moves their\nitems, too")
}

// defineWarmFrom defines the setting that makes sense only if there are several pools.
func (s *finding) defineWarmFrom(f *pflag.FlagSet) {
	setting.Define(f, &s.warmFrom, "", setting.Any().Sample("sessions").AtOnce(), "warm-from", "another `pool`, which nobody else uses any more, whose items are moved to this one")
}

// checkMove refuses to move items of a pool that takes no changes.
func (s *finding) checkMove(readOnly bool) error {
	if (s.move == copyOver || s.warmFrom != "") && readOnly {
		return errors.New("a pool that is read-only takes no items that move: use miss, and no warm-from")
	}
	return nil
}

// checkResolver refuses what is no address of a name server.
func checkResolver(text string) error {
	host, port, err := net.SplitHostPort(text)
	if n, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil || n == 0 || net.ParseIP(host) == nil {
		return fmt.Errorf("%q is not the address of a name server: use an IP address and a port, like 127.0.0.1:53", text)
	}
	return nil
}
