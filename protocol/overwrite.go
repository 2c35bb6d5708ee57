package protocol

import (
	"encoding/base64"
	"time"
)

// KeyAsked returns the key of a request for which [Request.Overwrites] is true. asked is what
// [Request.Asked] has returned.
func KeyAsked(c Command, asked []byte) []byte {
	if !c.Meta() {
		return asked
	}
	key, flags := NextWord(asked)
	if hasFlag(flags, 'b') {
		if plain, err := base64.StdEncoding.AppendDecode(nil, key); err == nil {
			return plain
		}
	}
	return key
}

// longestRelative is the longest exptime, in seconds, that memcached takes for a time from now; a
// longer one is a date.
const longestRelative = 30 * 24 * 60 * 60

// TimeOf returns the time that an exptime, in seconds, means to memcached: now if it is 0 or less.
func TimeOf(exptime int64, now time.Time) time.Time {
	switch {
	case exptime <= 0:
		return now
	case exptime <= longestRelative:
		return now.Add(time.Duration(exptime) * time.Second)
	}
	return time.Unix(exptime, 0)
}
