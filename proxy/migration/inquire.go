package migration

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving/wire"
	"github.com/memverbs/memverbs/proxy/placement"
)

// Found is what the servers of a pool tell a proxy that starts.
type Found struct {
	// Last is the list of servers that other proxies use, or have used last; empty if they tell none.
	Last placement.List
	// From and To are the lists of the migration that is under way, or has ended lately, and Began is when it began. To is empty if there is
	// none. Ended is when all servers were known to be swept; zero if they are not.
	From, To     placement.List
	Began, Ended time.Time
}

// IsOver reports whether the migration has ended so long ago that no other proxy moves keys, given how long it may take until all know.
func (f *Found) IsOver(settle time.Duration) bool {
	return !f.Ended.IsZero() && time.Since(f.Ended) > settle+time.Second // as times to live are in seconds
}

// Is reports whether the servers tell of a migration between two lists.
func (f *Found) Is(from, to placement.List) bool {
	return len(f.To.Servers) > 0 && textOf(f.From, f.To) == textOf(from, to)
}

// Inquire asks servers what they know of a pool, and waits for none longer than a time.
func Inquire(ctx context.Context, pool string, servers []Server, wait time.Duration) (f Found) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var asked sync.WaitGroup
	answers := make([]Found, len(servers))
	for i := range servers {
		asked.Go(func() { answers[i] = inquireAt(ctx, pool, &servers[i]) })
	}
	asked.Wait()
	for _, a := range answers {
		if len(f.Last.Servers) == 0 {
			f.Last = a.Last
		}
		if len(a.To.Servers) > 0 && (len(f.To.Servers) == 0 || a.Began.Before(f.Began)) {
			f.From, f.To, f.Began = a.From, a.To, a.Began
		}
		if a.Ended.After(f.Ended) {
			f.Ended = a.Ended
		}
	}
	return f
}

func inquireAt(ctx context.Context, pool string, server *Server) (f Found) {
	s := session{Server: server}
	defer s.close()
	key := placement.Key(pool)
	replies, err := s.ask(ctx, fmt.Sprintf("mg %s v\r\nmg %s%s v t\r\nmg %s%s v t\r\n", key, markKey, pool, stateKey, pool), 3)
	if err != nil {
		return f
	}
	if r := placement.ParseRecord(bytes.Clone(replies[0].Data)); len(r) > 0 {
		f.Last = r[0]
		f.Last.Pending = false
	}
	mark := string(replies[1].Data)
	from, to, ok := listsIn([]byte(mark))
	if !ok {
		return f
	}
	now := time.Now()
	if stateIn(replies[2].Data, mark) == ended {
		f.Ended = now.Add(-ageOf(&replies[2]))
	}
	if age := ageOf(&replies[1]); age < mostTime || !f.Ended.IsZero() {
		f.From, f.To, f.Began = from, to, now.Add(-age)
	}
	return f
}

// ageOf returns for how long an item of a migration has been there.
func ageOf(found *protocol.Reply) time.Duration {
	return time.Duration(markLives-wire.ItemIn(found).TTL) * time.Second
}
