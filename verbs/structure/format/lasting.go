package format

import "math/bits"

// Something of a structure may last until a time by the clock of whoever reads, in whole seconds: an
// increment, or a member. No call has to end it. Its token stays in the log for a while afterwards, as
// the clock of another proxy may be behind.

// LatestUntil is the latest time until which something may last, in seconds since 1970.
const LatestUntil = 1 << 40

// LongestLife is for how many seconds something may last.
const LongestLife = 1<<31 - 1

// waneLasts is how long the token of something that has expired stays in a log, in milliseconds. The
// clocks of all proxies must agree within this time.
const waneLasts = 10_000

// Until returns the time, in seconds since 1970, until which something lasts that is to last for so many
// seconds. now is in milliseconds since 1970. It lasts at least for these, and longer by at most a 64th or
// a second, so that many things have the same time.
func Until(now, seconds int64) int64 {
	bucket := int64(1)
	if parts := seconds / 64; parts > 0 {
		bucket = 1 << (bits.Len64(uint64(parts)) - 1)
	}
	step := 1000 * bucket
	return (now + 1000*seconds + step - 1) / step * bucket
}

// ExpiredAt returns when something that lasts until a time has expired, in milliseconds since 1970.
func ExpiredAt(until int64) int64 { return 1000 * until }

// OutlivedAt returns when it has expired for everybody, so that its token is not needed any more.
func OutlivedAt(until int64) int64 { return ExpiredAt(until) + waneLasts }
