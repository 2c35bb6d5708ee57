package memverbs

import (
	"crypto/rand"
	"errors"
	"time"
)

var (
	// ErrHeld says that another has the lock.
	ErrHeld = errors.New("another holds the lock")
	// ErrLost says that the lock was not held until its end.
	ErrLost = errors.New("the lock was lost before its end: ask for more time, or extend it")
)

// Lock is a lock with a random token of its own, for one use at a time.
type Lock struct {
	structure
	hold  time.Duration
	token string
}

// Lock returns a lock that ends by itself after so long. Nobody has it yet.
func (v *Verbs) Lock(name string, hold time.Duration) *Lock {
	return &Lock{v.structure(name), hold, rand.Text()}
}

// Acquire takes the lock, or, if this Lock holds it, holds it for as long again. It returns false if another has it.
func (l *Lock) Acquire() (bool, error) { return l.verbs.add(l.token, seconds(l.hold), "lock", l.name) }

// Extend holds the lock for so long from now, and returns false if it is not held any more.
func (l *Lock) Extend(hold time.Duration) (bool, error) {
	return l.verbs.touch(seconds(hold), "relock", l.name, l.token)
}

// Release gives the lock back, and returns false if it was not held any more.
func (l *Lock) Release() (bool, error) { return l.verbs.delete("unlock", l.name, l.token) }

// Do does the work under the lock. It returns ErrHeld if another has the lock, and ErrLost if the work has succeeded, but not
// under the lock.
func (l *Lock) Do(work func() error) error {
	switch held, err := l.Acquire(); {
	case err != nil:
		return err
	case !held:
		return ErrHeld
	}
	failed := work()
	released, err := l.Release()
	switch {
	case failed != nil:
		return failed
	case err != nil:
		return err
	case !released:
		return ErrLost
	}
	return nil
}
