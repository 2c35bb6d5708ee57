package article

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/bradfitz/gomemcache/memcache"
)

// Lists is lists by a client of [Connect]'s. An item is a list: "a b c ".
type Lists struct{ Client *memcache.Client }

// Push adds elements after the last. It makes the list if there is none.
func (l Lists) Push(key string, elements ...string) error {
	item := &memcache.Item{Key: key, Value: []byte(strings.Join(elements, " ") + " ")}
	err := l.Client.Append(item)
	if errors.Is(err, memcache.ErrNotStored) {
		err = l.Client.Add(item)
	}
	if errors.Is(err, memcache.ErrNotStored) { // somebody else has just added it
		err = l.Client.Append(item)
	}
	if err != nil {
		return fmt.Errorf("pushing to %q: %w", key, err)
	}
	return nil
}

// Range returns all elements of a list, or gomemcache's ErrCacheMiss.
func (l Lists) Range(key string) ([]string, error) {
	item, err := l.Client.Get(key)
	if err != nil {
		return nil, fmt.Errorf("getting %q: %w", key, err)
	}
	return strings.Fields(string(item.Value)), nil
}

// Pop removes the first element of a list and returns it, "" if the list is empty, or
// gomemcache's ErrCacheMiss. It begins again whenever somebody else has changed the list
// meanwhile; of all who pop, one succeeds.
func (l Lists) Pop(key string) (string, error) {
	for {
		item, err := l.Client.Get(key)
		if err != nil {
			return "", fmt.Errorf("getting %q: %w", key, err)
		}
		first, rest, found := bytes.Cut(item.Value, []byte(" "))
		if !found {
			return "", nil
		}
		item.Value = rest
		switch err := l.Client.CompareAndSwap(item); {
		case err == nil:
			return string(first), nil
		case !errors.Is(err, memcache.ErrCASConflict):
			return "", fmt.Errorf("popping from %q: %w", key, err)
		}
	}
}
