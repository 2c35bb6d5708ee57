package service

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy"
)

// A process that takes over must not serve clients worse than its predecessor: it serves them only when
// it reaches all its servers, except those that are down for its predecessor too. Until then the
// predecessor serves them.

const (
	// reachLimit is how long connecting to the servers may take; it is less than takeoverLimit.
	reachLimit = 10 * time.Second
	// reachCheck is the pause between two checks whether they are reached.
	reachCheck = 10 * time.Millisecond
)

// begin starts the server. A successor waits for its servers before it accepts clients, and gives up,
// with an error for each server, if it does not reach them in time.
func (i inheritance) begin(server *proxy.Server) error {
	if err := server.Open(); err != nil {
		return err
	}
	if i.ready != nil {
		if err := i.awaitServers(server); err != nil {
			return setting.OutsideOr(err)
		}
	}
	server.Accept()
	return nil
}

// awaitServers waits until the servers are reached, or until the predecessor ends, because then nobody
// else serves clients.
func (i inheritance) awaitServers(server *proxy.Server) error {
	limit := time.Now().Add(reachLimit)
	for ; ; time.Sleep(reachCheck) {
		lacking := slices.DeleteFunc(server.Unreached(), func(u proxy.Unreached) bool { return slices.Contains(i.unreached, u.ID) })
		if len(lacking) == 0 || os.Getppid() != i.predecessor {
			return nil
		}
		if time.Now().After(limit) {
			return i.unable(lacking)
		}
	}
}

// unable returns the error of a takeover that lacks servers.
func (i inheritance) unable(lacking []proxy.Unreached) error {
	var wrong []error
	for _, u := range lacking {
		wrong = append(wrong, fmt.Errorf("cannot take over from process %d, which does not find this server down: upstream %s is not reached within %v: %s", i.predecessor, u.Name, reachLimit, u.Why))
	}
	return errors.Join(wrong...)
}
