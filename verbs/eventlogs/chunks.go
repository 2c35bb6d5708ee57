package eventlogs

import "github.com/memverbs/memverbs/verbs"

// Time is divided into chunks, numbered from the Unix epoch. All times are in milliseconds.

// chunks are the chunks of all event logs, as set in the options.
type chunks verbs.Options

// chunksOf returns the chunks of the event logs in env.
func chunksOf(env verbs.Env) *chunks { return (*chunks)(env.Options()) }

// at returns the number of the chunk that t belongs to.
func (o *chunks) at(t int64) int64 {
	n := t / o.LogChunk
	if t%o.LogChunk < 0 {
		n--
	}
	return n
}

// oldest returns the oldest time of which events are kept at time now.
func (o *chunks) oldest(now int64) int64 { return (o.at(now) - o.LogChunks + 1) * o.LogChunk }

// keeps reports whether an event of time t can be stored at time now: it must not be older than the oldest time
// that is kept, nor more than one chunk ahead of now.
func (o *chunks) keeps(t, now int64) bool { return t >= o.oldest(now) && t <= now+o.LogChunk }

// resolve converts a client's time to one since the epoch: 0 is now, and a negative
// time is relative to now.
func resolve(t, now int64) int64 {
	if t <= 0 {
		return now + t
	}
	return t
}
