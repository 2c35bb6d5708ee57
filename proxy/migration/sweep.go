package migration

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/metadump"
	"github.com/memverbs/memverbs/proxy/moving/wire"
	"github.com/memverbs/memverbs/verbs/catalog"
)

const (
	// silence is how long a server may send nothing while it lists its items, and longestList how long the list may take.
	silence     = 10 * time.Second
	longestList = 10 * time.Minute
	// batch is how many items of a server are moved, or looked at, at a time.
	batch = 32
	// again is how long a sweep that has failed waits before it begins anew.
	again = time.Second
)

// sweep sweeps a server until nothing is left there: items whose keys others have now, and items from before the migration under keys
// that move there.
func (k *Keeper) sweep(ctx context.Context, i int) {
	from := 2*k.Settle + rand.N(k.Settle/10+1)
	pause := time.Until(k.began.Add(from))
	for {
		select {
		case <-time.After(max(pause, 0)):
		case <-ctx.Done():
			return
		}
		if k.swept[i].Load() {
			return
		}
		remained, err := k.sweepOnce(ctx, i)
		if err == nil && remained == 0 {
			k.swept[i].Store(true)
			k.tellSwept(ctx, i)
			return
		}
		k.Log.Debug("a server is not swept yet", "pool", k.Pool, "server", k.Servers[i].Name, "remained", remained, "error", err)
		pause = again + rand.N(again)
	}
}

// tellSwept tells other proxies that a server is swept.
func (k *Keeper) tellSwept(ctx context.Context, i int) {
	s := session{Server: &k.Servers[i]}
	defer s.close()
	key := stateKey + k.Pool
	found, err := s.ask(ctx, fmt.Sprintf("mg %s v c\r\n", key), 1)
	if err != nil {
		return
	}
	mode := "ME"
	switch stateIn(found[0].Data, k.mark) {
	case begun:
	case foreign:
		mode = fmt.Sprintf("C%d", wire.ItemIn(&found[0]).CAS)
	default:
		return
	}
	text := stateText(swept, k.mark)
	_, _ = s.ask(ctx, fmt.Sprintf("ms %s %d %s T%d\r\n%s\r\n", key, len(text), mode, markLives, text), 1)
}

// sweepOnce goes through the items of a server, and returns how many may still be there. It takes those that there is memory for first, as
// the server must not wait while it lists them.
func (k *Keeper) sweepOnce(ctx context.Context, i int) (remained int, err error) {
	k.sweeping.Lock() // one server at a time, as each takes memory
	defer k.sweeping.Unlock()
	for most := leastPile; ; {
		before := k.Tally.total()
		found, whole, err := k.list(ctx, i, most)
		if err != nil {
			return 0, err
		}
		n, err := k.clear(ctx, i, found)
		if remained += n; err != nil || whole || n > 0 {
			return remained, err
		}
		if k.Tally.total() == before { // all of them stay, and would be found first the next time, too
			if most *= 2; most > mostPile {
				return 0, fmt.Errorf("more than %d bytes of keys belong to structures", mostPile)
			}
		}
	}
}

// list returns the items of a server that must not remain there, or as many of them as there is memory for; then whole is false.
func (k *Keeper) list(ctx context.Context, i, most int) (found *pile, whole bool, err error) {
	s := session{Server: &k.Servers[i]}
	defer s.close()
	if err := s.open(ctx); err != nil {
		return nil, false, err
	}
	conn := s.conn
	end := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer end()
	lister, err := metadump.Open(s.conn, silence, time.Now().Add(longestList))
	if err != nil {
		return nil, false, err
	}
	found, whole = &pile{most: most}, true
	err = lister.Each(func(item metadump.Item) bool {
		if f := k.isFor(i, &item); f != stays {
			whole = found.add(f, &item)
		}
		return whole
	})
	return found, whole, err
}

// clear moves or deletes items of a server, and returns how many may still be there.
func (k *Keeper) clear(ctx context.Context, i int, found *pile) (remained int, err error) {
	s := session{Server: &k.Servers[i]}
	defer s.close()
	for {
		leave, strays := found.take(batch)
		if len(leave)+len(strays) == 0 {
			return remained, nil
		}
		n, err := k.move(ctx, leave)
		if remained += n; err == nil {
			err = k.remove(ctx, &s, strays)
		}
		if err != nil {
			return remained, err
		}
	}
}

// isFor returns what becomes of an item on a server.
func (k *Keeper) isFor(i int, item *metadump.Item) fate {
	if strings.HasPrefix(string(item.Key), "memverbs:") || k.Skips(item.Key) {
		return stays
	}
	was, is := k.From.Layout.Locate(item.Key), k.To.Layout.Locate(item.Key)
	if k.at[was] == is {
		return stays
	}
	switch {
	case was == k.places[i]:
		return leaves
	case is == i && k.cuts[i].Load() > item.CAS:
		return stray
	}
	return stays
}

// move has items moved, and returns how many may not be.
func (k *Keeper) move(ctx context.Context, keys [][]byte) (remained int, err error) {
	if len(keys) == 0 {
		return 0, nil
	}
	done := make(chan int, 1)
	k.Move(keys, func(n int) { done <- n })
	select {
	case n := <-done:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// remove deletes items, unless they belong to structures or have changed.
func (k *Keeper) remove(ctx context.Context, s *session, items []oldItem) error {
	for _, item := range items {
		key := metaKey(item.key)
		found, err := s.ask(ctx, fmt.Sprintf("mg %s v f\r\n", key), 1)
		if err != nil {
			return err
		}
		kept, err := k.isStructures(ctx, s, item.key, &found[0])
		if err != nil {
			return err
		}
		if kept {
			continue
		}
		if _, err := s.ask(ctx, fmt.Sprintf("md %s C%d\r\n", key, item.cas), 1); err != nil {
			return err
		}
		k.Tally.Strays.Add(1)
	}
	return nil
}

// isStructures reports whether an item that was found under a key belongs to a structure.
func (k *Keeper) isStructures(ctx context.Context, s *session, key []byte, found *protocol.Reply) (bool, error) {
	if isHead(found) {
		return true, nil
	}
	bases, sure := catalog.Bases(key)
	if sure {
		return true, nil
	}
	for _, base := range bases {
		head, err := s.ask(ctx, fmt.Sprintf("mg %s v f\r\n", metaKey(base)), 1)
		if err != nil {
			return false, err
		}
		if isHead(&head[0]) {
			return true, nil
		}
	}
	return false, nil
}

// isHead reports whether a reply has an item that may be the head of a structure.
func isHead(found *protocol.Reply) bool {
	return found.Kind == protocol.ReplyMetaValue && catalog.IsHead(wire.ItemIn(found).Flags, found.Data)
}
