package upstream

import (
	"time"

	"github.com/memverbs/memverbs/protocol"
)

// Remember remembers that a key is outdated on u: a request that should have changed or deleted it was
// refused, or went to the pool of a name, or its outcome is not known.
func (l *link) Remember(key []byte, pool string) {
	if l.env.OnReturn != Keep {
		l.Remote.outdated.Add(key, pool)
	}
}

// KeepsOutdated reports whether nothing is deleted when u is back, because a setting says so.
func (l *link) KeepsOutdated() bool { return l.env.OnReturn == Keep }

// RememberFlush remembers a flush_all, with memcached's exptime in seconds, that u has missed.
func (l *link) RememberFlush(exptime int64) {
	if l.env.OnReturn != Keep {
		l.Remote.outdated.Flush(protocol.TimeOf(exptime, time.Now()))
	}
}

// rememberLost remembers what a request should have changed whose outcome is not known. asked is what
// [protocol.Request.Asked] has returned.
func (l *link) rememberLost(command protocol.Command, asked []byte) {
	if command == protocol.FlushAll {
		exptime, _ := protocol.ParseInt(asked)
		l.RememberFlush(exptime)
		return
	}
	l.Remember(protocol.KeyAsked(command, asked), "")
}
