package article

import (
	"time"

	"github.com/bradfitz/gomemcache/memcache"
)

// timeout is how long a memcached may take to answer: longer than gomemcache gives it,
// since a machine that is measured is busy.
const timeout = 5 * time.Second

// Connect returns a client of the memcacheds at the addresses, over which gomemcache
// spreads the keys. It is for one goroutine: each has its own connections.
func Connect(addrs ...string) *memcache.Client {
	client := memcache.New(addrs...)
	client.Timeout = timeout
	return client
}
