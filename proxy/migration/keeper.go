package migration

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/moving/wire"
)

// Keeper takes a migration to its end: it keeps the marks, sweeps the servers, and learns how far other proxies are.
type Keeper struct {
	*Migration
	Pool    string
	Servers []Server // those of To, and after them those of From that are not in To
	Log     *slog.Logger
	// Move moves the items under keys to their new servers. It calls then, on any goroutine, with how many of them may still be where they
	// were.
	Move func(keys [][]byte, then func(remained int))
	// Skips reports whether an item stays where it is, as its key tells.
	Skips func(key []byte) bool
	// Fresh says that the migration began with this process, so that a mark that is older is of a migration before.
	Fresh bool

	sweeping sync.Mutex
	mark     string
	places   []int         // for each server its index in From, -1 if it is not there
	seen     []state       // of each server, as last asked
	swept    []atomic.Bool // which servers are swept
	unfit    []bool        // which servers can't take part
	cutOn    []net.Conn    // for each server the connection on which it told its mark first
	told     time.Duration // when all servers were told the present state, since began; 0 if they are not
}

// every returns how often the servers are asked.
func (k *Keeper) every() time.Duration {
	return min(max(k.Settle/30, 20*time.Millisecond), time.Second)
}

// leaveWithin is how many times settle it waits for them when the servers are to change again.
const leaveWithin = 10

// Run takes the migration to its end, or until ctx is done.
func (k *Keeper) Run(ctx context.Context) {
	k.mark = textOf(k.From, k.To)
	k.seen, k.swept = make([]state, len(k.Servers)), make([]atomic.Bool, len(k.Servers))
	k.unfit, k.cutOn = make([]bool, len(k.Servers)), make([]net.Conn, len(k.cuts))
	k.places = k.placesOf()
	k.told = time.Duration(k.ending.Load()) // by others, if this process has joined at the end
	sessions := make([]*session, len(k.Servers))
	for i := range sessions {
		sessions[i] = &session{Server: &k.Servers[i]}
		defer sessions[i].close()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for i := range k.Servers {
		go k.sweep(ctx, i)
	}
	ticker := time.NewTicker(k.every())
	defer ticker.Stop()
	for {
		if k.askAll(ctx, sessions) {
			return
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// askAll asks all servers, and does what follows. It reports whether the migration is over. A server that hangs must not keep it
// from hearing of the others for so long that changes would be refused.
func (k *Keeper) askAll(ctx context.Context, sessions []*session) (over bool) {
	ctx, cancel := context.WithTimeout(ctx, k.Settle/4)
	defer cancel()
	k.look(ctx, sessions)
	return k.goOn(ctx, sessions)
}

// look asks all servers for their items of the migration.
func (k *Keeper) look(ctx context.Context, sessions []*session) {
	done := make(chan bool, len(sessions))
	for i, s := range sessions {
		go func() { done <- k.lookAt(ctx, i, s) }()
	}
	for range sessions {
		if <-done {
			k.heard.Store(int64(time.Since(k.began)))
		}
	}
}

// lookAt asks one server. It reports whether that has answered.
func (k *Keeper) lookAt(ctx context.Context, i int, s *session) bool {
	replies, err := s.ask(ctx, fmt.Sprintf("mg %s%s v c t\r\nmg %s%s v\r\n", markKey, k.Pool, stateKey, k.Pool), 2)
	if err != nil {
		k.seen[i] = begun
		return false
	}
	if replies[0].Kind == protocol.ReplyError { // an early version, which would take the data of ms for commands
		k.isUnfit(i)
		return true
	}
	if k.seen[i] = stateIn(replies[1].Data, k.mark); k.seen[i] == swept {
		k.swept[i].Store(true)
	}
	if i < len(k.cuts) {
		k.keepMark(ctx, i, s, &replies[0])
	}
	return true
}

// isUnfit notes, and logs once, that no items can be moved from or to a server.
func (k *Keeper) isUnfit(i int) {
	if !k.unfit[i] {
		k.unfit[i] = true
		k.Log.Warn("items can't be moved to or from this server, so keys that move are missed there: run memcached 1.6 or later, without -C, or use move: miss", "pool", k.Pool, "upstream", k.Servers[i].Name)
	}
}

// keepMark takes the mark of a server, or makes it.
func (k *Keeper) keepMark(ctx context.Context, i int, s *session, found *protocol.Reply) {
	mark := wire.ItemIn(found)
	if string(mark.Data) == k.mark && !(k.Fresh && k.cuts[i].Load() == 0 && k.isOld(mark.TTL)) {
		k.cutAt(i, s, mark.CAS)
		if mark.CAS == 0 {
			k.isUnfit(i)
		}
		return
	}
	mode := "ME"
	if mark.CAS != 0 {
		mode = fmt.Sprintf("C%d", mark.CAS)
	}
	replies, err := s.ask(ctx, fmt.Sprintf("ms %s%s %d %s T%d c\r\n%s\r\n", markKey, k.Pool, len(k.mark), mode, markLives, k.mark), 1)
	if err == nil {
		k.cutAt(i, s, wire.ItemIn(&replies[0]).CAS)
	}
}

// cutAt notes the CAS of the mark of a server. If the server has flushed or evicted a mark, that of the one before remains right, unless
// the server was restarted, which also counts its CAS anew: by the later one, items would be taken for older than the migration that it
// has brought.
func (k *Keeper) cutAt(i int, s *session, mark uint64) {
	if cut := k.cuts[i].Load(); cut == 0 || mark < cut || k.cutOn[i] != s.conn {
		k.cuts[i].Store(mark)
		k.cutOn[i] = s.conn
	}
}

// isOld reports whether a mark with so many seconds to live is older than one of a migration that has just begun.
func (k *Keeper) isOld(lives int64) bool {
	age := time.Duration(markLives-lives) * time.Second
	return age > time.Since(k.began)+k.Settle+2*time.Second
}

// goOn decides what follows from what the servers have told. It reports whether the migration is over.
func (k *Keeper) goOn(ctx context.Context, sessions []*session) (over bool) {
	passed := time.Since(k.began)
	note := func(at *atomic.Int64) { at.CompareAndSwap(0, max(1, int64(passed))) }
	k.Tally.Swept.Store(int32(k.sweptServers()))
	for i := range k.cuts {
		switch k.seen[i] {
		case ended:
			note(&k.ending)
		case leaving:
			note(&k.leaving)
		}
	}
	if k.ending.Load() == 0 && k.sweptServers() == len(k.Servers) {
		note(&k.ending)
	}
	if k.leaving.Load() == 0 && k.ending.Load() == 0 && k.tired(passed) {
		k.Log.Warn("not all keys that move to other servers could be moved: those that are left will be missed", "pool", k.Pool, "swept", k.sweptServers(), "servers", len(k.Servers))
		note(&k.leaving)
	}
	switch {
	case k.ending.Load() > 0:
		k.tell(ctx, sessions, ended, passed)
		if k.told > 0 && passed > k.told+k.Settle {
			k.over.Store(true)
			return true
		}
	case k.leaving.Load() > 0 && passed > 2*k.Settle:
		k.tell(ctx, sessions, leaving, passed)
		if k.told > 0 && passed > max(k.told, 2*k.Settle)+k.Settle {
			note(&k.ending)
			k.told = 0
		}
	}
	return false
}

// sweptServers returns how many servers are swept.
func (k *Keeper) sweptServers() (n int) {
	for i := range k.Servers {
		if k.swept[i].Load() || k.gone(i) {
			n++
		}
	}
	return n
}

// placesOf returns for each server its index in From, -1 if it is not there.
func (k *Keeper) placesOf() (places []int) {
	for i := range k.To.Servers {
		places = append(places, slices.Index(k.at, i))
	}
	for i, at := range k.at {
		if at < 0 {
			places = append(places, i)
		}
	}
	return places
}

// gone reports whether a server has left and was given up.
func (k *Keeper) gone(i int) bool {
	at := k.places[i]
	return at >= 0 && i >= len(k.cuts) && k.givenUp[at].Load()
}

// tired reports whether it waits no longer for servers that can't be swept.
func (k *Keeper) tired(passed time.Duration) bool {
	return passed > mostTime || slices.Contains(k.unfit, true) || k.left.Load() && passed > leaveWithin*k.Settle
}

// tell tells the state to the servers that do not tell it themselves. One that does not answer counts as told: it is told when it is back.
func (k *Keeper) tell(ctx context.Context, sessions []*session, s state, passed time.Duration) {
	text, all := stateText(s, k.mark), true
	for i := range k.cuts {
		if k.seen[i] == s || sessions[i].conn == nil {
			continue
		}
		if replies, err := sessions[i].ask(ctx, fmt.Sprintf("ms %s%s %d T%d\r\n%s\r\n", stateKey, k.Pool, len(text), markLives, text), 1); err == nil {
			all = all && string(replies[0].Line) == "HD"
		}
	}
	if all && k.told == 0 {
		k.told = passed
	}
}
