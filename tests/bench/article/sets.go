package article

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/bradfitz/gomemcache/memcache"
)

const (
	// tries is how often a change is tried of which memcached says that it is
	// neither possible to append nor to add.
	tries = 100
	// checkEvery is how many writes there are, on average, for each that looks
	// whether the set should be compacted.
	checkEvery = 1000
)

// Sets is sets by a client of [Connect]'s.
type Sets struct{ Client *memcache.Client }

// Add adds members to a set. It makes the set if there is none.
func (s Sets) Add(key string, members ...string) error {
	tokens := encode('+', members)
	for range tries {
		stored, err := s.append(key, tokens)
		if stored || err != nil {
			return err
		}
		switch err := s.Client.Add(&memcache.Item{Key: key, Value: tokens}); {
		case err == nil:
			return nil
		case !errors.Is(err, memcache.ErrNotStored):
			return fmt.Errorf("adding %q: %w", key, err)
		}
		// Either somebody else has added it just now, or it is full.
		stored, err = s.append(key, tokens)
		if stored || err != nil {
			return err
		}
		if _, err := s.compact(key); err != nil {
			return err
		}
	}
	return fmt.Errorf("adding to %q: it is full", key)
}

// Remove removes members from a set. Nothing happens if there is no such set.
func (s Sets) Remove(key string, members ...string) error {
	tokens := encode('-', members)
	for range tries {
		stored, err := s.append(key, tokens)
		if stored || err != nil {
			return err
		}
		if found, err := s.compact(key); !found || err != nil {
			return err
		}
	}
	return fmt.Errorf("removing from %q: it is full", key)
}

// append appends to the log, and looks after the set once in a while.
func (s Sets) append(key string, tokens []byte) (stored bool, err error) {
	switch err := s.Client.Append(&memcache.Item{Key: key, Value: tokens}); {
	case errors.Is(err, memcache.ErrNotStored):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("appending to %q: %w", key, err)
	}
	if rand.IntN(checkEvery) == 0 {
		if _, err := s.Members(key); err != nil && !errors.Is(err, memcache.ErrCacheMiss) {
			return true, err
		}
	}
	return true, nil
}

// Members returns the members of a set, or gomemcache's ErrCacheMiss. It
// compacts the set if there is more garbage in it than members.
func (s Sets) Members(key string) (Members, error) {
	item, members, garbage, err := s.read(key)
	if err == nil && garbage > len(members) {
		err = s.swap(item, members)
	}
	return members, err
}

// Has reports whether member is in a set, or returns gomemcache's ErrCacheMiss.
func (s Sets) Has(key, member string) (bool, error) {
	members, err := s.Members(key)
	_, has := members[member]
	return has, err
}

// Count returns the number of members of a set, or gomemcache's ErrCacheMiss.
func (s Sets) Count(key string) (int, error) {
	members, err := s.Members(key)
	return len(members), err
}

// compact makes room in a set that may be full. Somebody else may be faster.
func (s Sets) compact(key string) (found bool, err error) {
	item, members, garbage, err := s.read(key)
	switch {
	case errors.Is(err, memcache.ErrCacheMiss):
		return false, nil
	case err != nil:
		return false, err
	case garbage == 0:
		return true, nil
	default:
		return true, s.swap(item, members)
	}
}

func (s Sets) read(key string) (item *memcache.Item, members Members, garbage int, err error) {
	if item, err = s.Client.Get(key); err != nil {
		return nil, nil, 0, fmt.Errorf("getting %q: %w", key, err)
	}
	if members, garbage, err = fold(string(item.Value)); err != nil {
		return nil, nil, 0, fmt.Errorf("reading %q: %w", key, err)
	}
	return item, members, garbage, nil
}

// swap replaces what was read by a compacted log, unless it has changed.
func (s Sets) swap(item *memcache.Item, members Members) error {
	item.Value = compacted(members)
	switch err := s.Client.CompareAndSwap(item); {
	case err == nil, errors.Is(err, memcache.ErrCASConflict), errors.Is(err, memcache.ErrCacheMiss):
		return nil
	default:
		return fmt.Errorf("compacting %q: %w", item.Key, err)
	}
}
