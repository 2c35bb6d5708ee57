package eventlogs

import (
	"hash/maphash"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// waits reports whether the call waits if there are no events.
func (f *fetch) waits() bool { return f.When != 0 }

// begin returns from when on events are read. A fetch that waits for events of the future looks at the present ones too,
// like all others that begin in this chunk.
func (f *fetch) begin() int64 { return min(f.first, f.last) }

// seen returns what a fetch that waits has seen. It reads whole chunks, from that of the interval's first time on, so all
// fetches that begin in one chunk have seen the same, although each answers with the events of its own interval.
func (f *fetch) seen() verbs.Seen {
	most, _ := protocol.ParseUint(wordsOfFetch(f.Words).more)
	from := chunksOf(f.Env).at(f.begin())
	s := verbs.Seen{Few: uint64(len(f.found)) <= most, From: from}
	s.Mark = maphash.Comparable(seed, [3]int64{from, int64(f.past), int64(f.length)}) | 1
	if f.next > 0 {
		s.In = max(f.next-f.Env.Now(), 1)
	}
	return s
}

var seed = maphash.MakeSeed()
