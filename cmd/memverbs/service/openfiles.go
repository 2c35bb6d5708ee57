package service

import (
	"log/slog"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/proxy/config"
)

// spareFiles is how many descriptors are needed besides those of clients and upstreams:
// for listeners and connections that are being refused. A loop has its own for epoll and a pipe.
const spareFiles = 64

// limitClients lowers MaxClients to what the system's limit of open files allows, so
// that the proxy does not run out of descriptors.
func limitClients(c *config.Config, log *slog.Logger) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return
	}
	upstreams := 0
	for _, p := range c.Pools {
		upstreams += len(p.Upstreams)
	}
	most := int64(limit.Cur) - int64(spareFiles+c.Loops*(upstreams*2+9))
	if int64(c.MaxClients) > most {
		log.Warn("--max-clients lowered: the system allows too few open files; raise its limit (ulimit -n)",
			"asked", c.MaxClients, "given", max(1, most), "open-files", limit.Cur)
		c.MaxClients = int(max(1, most))
	}
}
