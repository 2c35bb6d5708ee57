package service

import (
	"fmt"
	"log/slog"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/config"
)

// How many descriptors are needed besides those of listeners, clients and upstreams.
const (
	// ownFiles: the standard streams, and what Go's runtime and the watch over host names have.
	ownFiles = 8
	// loopFiles: an event loop has two for epoll and two that wake it, and a pipe when large values are moved.
	loopFiles = 6
	// spareFiles: connections that are being refused or enrolled, those of the admin server, and lookups of names.
	spareFiles = 64
	// foundUpstreams: how many upstreams a pool is reckoned to have whose servers are found later.
	foundUpstreams = 16
)

// limitClients lowers MaxClients to what the system's limit of open files allows, so that the proxy does not run out
// of descriptors. It returns an error if there are not even enough for the upstreams and a client, each of which
// has two while its event loop enrols it.
func limitClients(c *config.Config, log *slog.Logger) error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return nil
	}
	files := int64(min(limit.Cur, 1<<32))
	upstreams := 0
	for _, p := range c.Pools {
		upstreams += len(p.Upstreams)
		if p.Discovery != nil {
			upstreams += foundUpstreams
		}
	}
	least := int64(ownFiles + len(c.Listeners) + c.Loops*(loopFiles+2*upstreams) + 2)
	if files < least {
		return setting.OutsideOr(fmt.Errorf("too few open files: event loops (%d), their connections to servers (%d), listeners (%d) and a client take %d, and the system allows %d; %s",
			c.Loops, c.Loops*upstreams, len(c.Listeners), least, files, proxy.MoreFiles))
	}
	// A loop may have a second connection to each upstream.
	most := files - int64(ownFiles+spareFiles+len(c.Listeners)+c.Loops*(loopFiles+2*upstreams))
	if int64(c.MaxClients) > most {
		log.Warn("--max-clients lowered: the system allows too few open files; "+proxy.MoreFiles, "asked", c.MaxClients, "given", max(1, most), "open-files", files)
		c.MaxClients = int(max(1, most))
	}
	return nil
}
