package proxy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// The name of an upstream may resolve to another machine while the old one still runs. Proxies started
// before and after that would disagree on where its keys are. So names are looked up again from time to
// time, and at each reload. Another machine is another server, so the proxy changes over to it as by a
// reload that replaces the server: requests in flight end on the old one, and later requests wait for
// the first attempt to connect to the new one, on all loops.

const (
	// lookEvery is how often names are looked up again.
	lookEvery = 30 * time.Second
	// longestLook is how long looking them up may take.
	longestLook = 40 * time.Second
	// mostMoves is how often a server may move within calm. A name whose address keeps changing
	// would make the pool lose its items again and again.
	mostMoves = 3
	calm      = 10 * time.Minute
)

// LookAgain starts another look-up of the upstreams' names, has sources of servers asked again, and returns at once.
func (s *Server) LookAgain() {
	for _, w := range s.shared.Setup.Load().Watches() {
		w.AskNow()
	}
	select {
	case s.lookNow <- struct{}{}:
	default:
	}
}

// watchNames looks the names of upstreams up again and again, until the server is stopped.
func (s *Server) watchNames() {
	w := newWatch(s)
	for {
		select {
		case <-time.After(s.lookEvery*9/10 + rand.N(s.lookEvery/5)):
		case <-s.lookNow:
		case <-s.shared.Context.Done():
			return
		}
		w.look()
	}
}

// watch is what watchNames remembers, for each server by its name.
type watch struct {
	server *Server
	moves  map[string][]followed // the latest ones
	wrong  map[string]string     // the error that was logged last
}

// followed is a move of a server: when, and to what address. Pools that share the server move one after
// another; for all of them it is one move.
type followed struct {
	when time.Time
	to   string
}

func newWatch(s *Server) watch {
	return watch{server: s, moves: map[string][]followed{}, wrong: map[string]string{}}
}

// look looks all names up, in parallel, and moves the servers that have moved.
func (w *watch) look() {
	ctx, cancel := context.WithTimeout(w.server.shared.Context, longestLook)
	defer cancel()
	var (
		looks sync.WaitGroup
		mu    sync.Mutex
		moves = map[*upstream.Remote]config.Move{}
	)
	for _, p := range w.server.shared.Setup.Load().Pools {
		for i, u := range p.Upstreams {
			if u.Look == nil {
				continue
			}
			looks.Go(func() {
				to, err := u.Look(ctx)
				mu.Lock()
				defer mu.Unlock()
				w.note(u.Name, err)
				if to != nil && w.mayMove(u.Address, u.Name, to.Leads()) {
					moves[p.Remotes[i]] = config.Move{From: u, To: *to}
				}
			})
		}
	}
	looks.Wait()
	if w.server.shared.Context.Err() == nil && len(moves) > 0 {
		w.server.moveOver(moves)
	}
}

// note logs that a name can't be looked up, once for each reason.
func (w *watch) note(name string, err error) {
	switch {
	case w.server.shared.Context.Err() != nil:
	case err == nil:
		delete(w.wrong, name)
	case w.wrong[name] != err.Error():
		w.wrong[name] = err.Error()
		w.server.shared.Log.Warn("upstream's name does not lead to a machine now: its last known address is used", "upstream", name, "reason", err)
	}
}

// mayMove reports whether a server may move to an address now, and counts that once, however many pools have
// the server. name is what the pool calls it.
func (w *watch) mayMove(server, name, to string) bool {
	recent := slices.DeleteFunc(w.moves[server], func(f followed) bool { return time.Since(f.when) > calm })
	w.moves[server] = recent
	switch last := len(recent) - 1; {
	case last >= 0 && recent[last].to == to:
		return true
	case len(recent) < mostMoves:
		w.moves[server] = append(recent, followed{time.Now(), to})
		return true
	}
	w.note(name, fmt.Errorf("it has led to another machine %d times within %v; it is not followed until that has passed", mostMoves, calm))
	return false
}

// moveOver makes all loops replace some upstreams by others.
func (s *Server) moveOver(moves map[*upstream.Remote]config.Move) {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	if s.stopping {
		return
	}
	next := s.shared.Setup.Load().Moved(moves, s.removed, s.shared.Config.Loops)
	s.shared.Setup.Store(next)
	s.applyOnAll(next)
}
