package proxy

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/front"
)

// paused returns the number of a verb that has paused, 0 if none has.
func paused(s *Server) (number uint64) {
	onLoops(s, func(l *front.Loop) { number = max(number, l.Pools.Current[0].Verbs.Paused()) })
	return number
}

// hugeSet is a server that holds the same set of 120 000 members under every key.
func hugeSet(t *testing.T) config.Upstream { return setOf(t, 120_000) }

// setOf is a server that holds the same set, with that number of members, under every
// key.
func setOf(t *testing.T, members int) config.Upstream {
	var log strings.Builder
	for n := range members {
		fmt.Fprintf(&log, "+%06d ", n)
	}
	return cannedUpstream(t, fmt.Appendf(nil, "VA %d c1 f0 t-1 s%d kKEY\r\n%s\r\n", log.Len(), log.Len(), log.String()))
}

// While a large set is folded, others are served: between two pauses of one verb a
// get of another client is answered.
func TestOthersAreServedWhileASetIsFolded(t *testing.T) {
	s := startServer(t, 1, hugeSet(t))
	reader, other := dialServer(t, s), dialServer(t, s)
	go func() {
		for {
			if _, err := io.WriteString(reader, "scard k\r\n"); err != nil {
				return
			}
			if _, err := io.ReadFull(reader, make([]byte, len("120000\r\n"))); err != nil {
				return
			}
		}
	}()
	await(t, "a request to be answered in the middle of a verb", func() bool {
		before := paused(s)
		exchange(t, other, "mn\r\n", "MN\r\n")
		return before > 0 && paused(s) == before
	})
}

// A client that leaves while its set is folded leaks nothing.
func TestClientLeavesWhileItsSetIsFolded(t *testing.T) {
	s := startServer(t, 1, hugeSet(t))
	for range 3 {
		conn := dialServer(t, s)
		if _, err := io.WriteString(conn, strings.Repeat("scard k\r\n", 2000)); err != nil {
			t.Fatal(err)
		}
		await(t, "the verb to have paused", func() bool { return paused(s) > 0 })
		conn.Close()
		await(t, "nothing to be left of the client", func() bool {
			clients, buffers := heldBy(s)
			held := 0
			onLoops(s, func(l *front.Loop) {
				held = l.Account.Used() - l.Pools.Current[0].Verbs.Kept() - l.Buffers.Idle() - l.Pools.Current[0].All[0].First.Memory()
			})
			return clients == 0 && buffers == 0 && held == 0 && paused(s) == 0
		})
	}
}
