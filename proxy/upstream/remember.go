package upstream

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// Remember remembers that a key is outdated on u: a request that would have changed or deleted it was
// refused, or its outcome is not known, or it was sent to the spare pool of that name.
func (u *Upstream) Remember(key []byte, pool string) {
	if u.env.OnReturn != Keep {
		u.remote.outdated.Add(key, pool)
	}
}

// RememberFlush remembers a flush_all, with memcached's exptime in seconds, that u has missed.
func (u *Upstream) RememberFlush(exptime int64) {
	if u.env.OnReturn != Keep {
		u.remote.outdated.Flush(protocol.TimeOf(exptime, time.Now()))
	}
}

// rememberLost remembers the keys that a request would have changed whose outcome is not known. asked
// is what [protocol.Request.Asked] has returned.
func (u *Upstream) rememberLost(command protocol.Command, asked []byte) {
	if command == protocol.FlushAll {
		exptime, _ := protocol.ParseInt(asked)
		u.RememberFlush(exptime)
		return
	}
	u.Remember(protocol.KeyAsked(command, asked), "")
}
