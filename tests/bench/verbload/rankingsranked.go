//go:build linux

package verbload

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// These loads ask ranked (https://github.com/rollrat/ranked), which takes commands in the bodies of
// HTTP requests. It must be built to keep connections for RankedKeepAlive requests.

// RankedKeepAlive is CPPHTTPLIB_KEEPALIVE_MAX_COUNT of the ranked that is asked.
const RankedKeepAlive = 1_000_000_000

// RankedPost returns a request for a command.
func RankedPost(command string) []byte {
	return fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: ranked\r\nContent-Length: %d\r\n\r\n%s", len(command), command)
}

// RankedReply returns what comes before the body of a reply, which has so many bytes.
func RankedReply(bytes int) []byte {
	return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nContent-Type: text/plain\r\nKeep-Alive: timeout=5, max=%d\r\n\r\n", bytes, RankedKeepAlive)
}

// rankedPosts returns n requests for commands, which are answered with the replies.
func rankedPosts(n int, command func(i int) string, reply func(i int) string) load.Source {
	return &source{
		heads: [][]byte{nil},
		tails: each(n, func(i int) []byte { return RankedPost(command(i)) }),
		rows:  each(n, func(i int) []byte { return append(RankedReply(len(reply(i))), reply(i)...) }),
	}
}

// RankedZadd asks ranked what [Rankings.Zadd] asks memverbs, of the first ranking, as the others do.
func (r Rankings) RankedZadd() load.Source {
	return rankedPosts(changes*r.Members, func(i int) string {
		score, member := r.change(i)
		return fmt.Sprintf("zadd %s %d %s", r.Key(0), score, member)
	}, func(int) string { return "" })
}

// RankedZincrby asks ranked what [Rankings.Zincrby] asks memverbs.
func (r Rankings) RankedZincrby() load.Source {
	return &rankedSums{
		posts: each(r.Members, func(i int) []byte { return RankedPost(fmt.Sprintf("zincrby %s 1 %s", r.Key(0), r.Member(i))) }),
		reply: append(RankedReply(len("1")+otherDigits+len("\n")), firstDigit...),
	}
}

// RankedZget asks ranked what [Rankings.Zget] asks memverbs.
func (r Rankings) RankedZget() load.Source {
	return rankedPosts(r.Members, func(i int) string { return "zget " + r.Key(0) + " " + r.Member(i) },
		func(i int) string { return fmt.Sprintf("%d\n", r.Score(i)) })
}

// RankedZrevrange asks ranked what [Rankings.Zrevrange] asks memverbs.
func (r Rankings) RankedZrevrange(n int) load.Source {
	var list strings.Builder
	for _, i := range r.best(n) {
		fmt.Fprintf(&list, "%s %d\n", r.Member(i), r.Score(i))
	}
	return rankedPosts(1, func(int) string { return fmt.Sprintf("zrevrange %s 0 %d withscores", r.Key(0), n) },
		func(int) string { return list.String() })
}

// RankedFill empties ranked and sets the scores of the first ranking, by one request: it takes no
// other before it has answered.
func (r Rankings) RankedFill(t load.Target) error {
	var commands strings.Builder
	commands.WriteString("flushall\n")
	for i := range r.Members {
		fmt.Fprintf(&commands, "zadd %s %s\n", r.Key(0), r.pair(i))
	}
	return load.Fill(t, 1, func(_ int, b *load.Batch) {
		b.Send(RankedPost(commands.String()))
		b.ExpectLast(RankedReply(0))
	})
}

// rankedSums is sums, asked of ranked.
type rankedSums struct {
	posts [][]byte
	reply []byte // up to the digits that can't be known
}

// Next implements [load.Source].
func (s *rankedSums) Next(b *load.Batch, random *rand.PCG) {
	b.Send(s.posts[random.Uint64()%uint64(len(s.posts))])
	b.Expect(s.reply)
	b.ExpectAny(otherDigits)
	b.ExpectLast([]byte("\n"))
}
