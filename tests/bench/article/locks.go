package article

import (
	"errors"
	"fmt"

	"github.com/bradfitz/gomemcache/memcache"
)

// Locks is locks by a client of [Connect]'s. An item is a lock that somebody holds, and
// its value is whose.
type Locks struct{ Client *memcache.Client }

// Lock takes a lock for so many seconds, and reports whether it was free.
func (l Locks) Lock(name, token string, seconds int32) (bool, error) {
	err := l.Client.Add(&memcache.Item{Key: name, Value: []byte(token), Expiration: seconds})
	switch {
	case errors.Is(err, memcache.ErrNotStored):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("taking %q: %w", name, err)
	}
	return true, nil
}

// Unlock releases a lock that the token holds, and reports whether it did. Between looking
// and deleting, the lock may pass to somebody else, who then loses it.
func (l Locks) Unlock(name, token string) (bool, error) {
	item, err := l.Client.Get(name)
	switch {
	case errors.Is(err, memcache.ErrCacheMiss):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("looking at %q: %w", name, err)
	case string(item.Value) != token:
		return false, nil
	}
	if err := l.Client.Delete(name); err != nil && !errors.Is(err, memcache.ErrCacheMiss) {
		return false, fmt.Errorf("releasing %q: %w", name, err)
	}
	return true, nil
}
