package discovery

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// Watch asks a source again and again. It is safe for concurrent use.
type Watch struct {
	source Source
	asker  Asker
	times  Times
	now    chan struct{} // asks at once

	mu      sync.Mutex
	members *Members
	state   State
	version uint64    // of the last good answer
	lower   time.Time // since when answers have a lower one; zero if the last one does not
}

// Times are the times of a watch.
type Times struct {
	Every time.Duration // between two times at which the source is asked
	Leave time.Duration // for which a server is away before it leaves the list
}

// State is what is known of a source.
type State struct {
	Answered time.Time // when the last good answer came
	TTL      time.Duration
	Error    string // why the last answer was not good; empty if it was
}

// askLimit is how long asking may take, whatever the number of name servers.
const askLimit = 10 * time.Second

// NewWatch returns a watch that has asked nothing yet.
func NewWatch(source Source, asker Asker, times Times) *Watch {
	return &Watch{source: source, asker: asker, times: times, now: make(chan struct{}, 1), members: NewMembers(times.Leave)}
}

// Source returns what is asked.
func (w *Watch) Source() Source { return w.source }

// Inherit begins with what another watch of the same source knows.
func (w *Watch) Inherit(other *Watch) {
	other.mu.Lock()
	list, state, version, lower := other.members.List(), other.state, other.version, other.lower
	other.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.members.list, w.state, w.version, w.lower = list, state, version, lower
}

// List returns the servers: those of the last good answer, and those that are away.
func (w *Watch) List() []Member {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.members.List()
}

// State returns what is known of the source.
func (w *Watch) State() State {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state
}

// Apart returns how long after each other two that ask the source may learn of a change: as long as one of them does not ask, and
// as name servers keep the answer.
func (w *Watch) Apart() time.Duration { return w.times.Every*11/10 + w.State().TTL }

// Expect says that other proxies have these servers in their lists, and makes Run ask soon: those that the answer lacks are
// away from then on.
func (w *Watch) Expect(servers []string) {
	w.mu.Lock()
	w.members.Expect(servers)
	w.mu.Unlock()
	w.AskNow()
}

// AskNow makes Run ask soon.
func (w *Watch) AskNow() {
	select {
	case w.now <- struct{}{}:
	default:
	}
}

// Run asks until ctx is done. After each answer it calls tell, with the error if the answer was not good.
func (w *Watch) Run(ctx context.Context, tell func(changed bool, err error)) {
	for {
		select {
		case <-time.After(w.pause()):
		case <-w.now:
		case <-ctx.Done():
			return
		}
		changed, err := w.Ask(ctx)
		if ctx.Err() != nil {
			return
		}
		tell(changed, err)
	}
}

// pause returns how long to wait before the source is asked again: not for long if the last answer was not good, since the list
// is out of date soon.
func (w *Watch) pause() time.Duration {
	every := w.times.Every
	if w.State().Error != "" {
		every = min(every, max(every/afterError, time.Second))
	}
	return every*9/10 + rand.N(every/5+1)
}

// afterError is how many times as often a source is asked that has given no good answer.
const afterError = 5

// Ask asks once. It reports whether the list has changed, and returns why the answer is not good, if it is not.
func (w *Watch) Ask(ctx context.Context) (changed bool, err error) {
	limited, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	answer, err := w.asker.Ask(limited)
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if err == nil {
		err = w.checkVersion(answer.Version, now)
	}
	if err == nil {
		changed, err = w.members.Take(answer, now)
	}
	w.state.Error = ""
	if err != nil {
		err = fmt.Errorf("%v: %w", w.source, err)
		w.state.Error = err.Error()
		return false, err
	}
	w.state.Answered, w.state.TTL = now, answer.TTL
	return changed, nil
}

// checkVersion refuses an answer with a lower version than one before. The servers of a cluster learn of a change one
// after another, and any of them may answer. A cluster that is made anew begins with low versions, so they are taken when
// there was nothing else for as long as a server is away before it leaves.
func (w *Watch) checkVersion(version uint64, now time.Time) error {
	if version < w.version {
		if w.lower.IsZero() {
			w.lower = now
		}
		if now.Sub(w.lower) < w.times.Leave {
			return fmt.Errorf("the answer is older than one before: its version is %d, and there was %d", version, w.version)
		}
	}
	w.version, w.lower = version, time.Time{}
	return nil
}
