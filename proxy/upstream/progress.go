package upstream

import "time"

// progress is the upstream's progress with the pending requests, as of the last tick.
type progress struct {
	confirmed Position // end of the bytes that the upstream has received
	sent      int      // requests at the front of pending that it has received
	expired   int      // those of them that have timed out and were refused
	heard     uint32   // last tick with a sign of life
	greeted   bool     // the first requests on the connection have been answered
	clogged   bool     // the rest of a large reply is awaited
	arrival
}

// arrival measures how steadily replies arrive.
type arrival struct {
	received int    // bytes, since the last tick
	ahead    int    // bytes, by which the large reply is ahead of the minimum rate
	measured uint32 // tick of the last measurement
	excused  uint32 // ticks that do not count, because a large reply arrived steadily
}

// slowest is the longest time that [maxQueued] bytes of a large reply may take to arrive, unless
// maxSending time-outs are longer. It means 100 kB/s if the time-out is a second or less.
const slowest = 10 * time.Second

// slowestReply returns how long maxQueued bytes of a large reply may take to arrive.
func slowestReply(timeout time.Duration) time.Duration { return max(slowest, maxSending*timeout) }

// maxSending is how long the upstream may take to receive maxQueued bytes, as a
// multiple of the time-out.
const maxSending = 10

// LongestAnswer returns how long a request may take if the time-out is timeout, no more than
// maxQueued bytes wait to be sent before it, and no large reply arrives before its own.
func LongestAnswer(timeout time.Duration) time.Duration { return (maxSending + 1) * timeout }
