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

// AppendDeleteOf appends a request that deletes the item under key, which may have any bytes. It returns
// the command, whose reply is compared with nothing.
func AppendDeleteOf(dst []byte, key string) ([]byte, Command) {
	r := Request{Command: Delete, Key: []byte(key)}
	if !PlainWord(r.Key) {
		r.Command, r.Encoded = MetaDelete, base64.StdEncoding.AppendEncode(nil, r.Key)
	}
	return r.AppendDelete(dst), r.Command
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
