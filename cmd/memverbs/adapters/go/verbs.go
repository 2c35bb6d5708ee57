package memverbs

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bradfitz/gomemcache/memcache"
)

// VerbError says that a verb was not carried out, or that nobody knows whether it was.
type VerbError struct {
	Key string // which names the verb
	Err error  // with the reason, if the server gave one
}

func (e *VerbError) Error() string { return e.Key + ": " + e.Err.Error() }

func (e *VerbError) Unwrap() error { return e.Err }

// Verbs are the verbs of a memverbs. Several goroutines may use them.
type Verbs struct {
	client *memcache.Client
	prefix string
}

// New returns the verbs of a server with --verb-keys verb/.
func New(client *memcache.Client) *Verbs { return NewWithPrefix(client, "verb/") }

// NewWithPrefix returns the verbs of a server with another prefix in --verb-keys.
func NewWithPrefix(client *memcache.Client, prefix string) *Verbs { return &Verbs{client, prefix} }

// Check returns an error if the server takes verbs for ordinary keys, as memcached does and memverbs without --verb-keys.
func (v *Verbs) Check() error {
	value, err := v.get("limit", "memverbs", "1", "1")
	if err == nil && value == nil {
		err = &VerbError{v.prefix, fmt.Errorf("the server takes this for the beginning of ordinary keys; start memverbs with --verb-keys %s", v.prefix)}
	}
	return err
}

// Flush hides all items whose keys begin with the namespace, which the setting namespaces of memverbs must name.
func (v *Verbs) Flush(namespace string) error {
	_, err := v.delete("nsflush", namespace)
	return err
}

// get returns nil if nothing was found.
func (v *Verbs) get(parts ...string) ([]byte, error) {
	key := v.key(parts)
	item, err := v.client.Get(key)
	if found, err := outcome(key, err); !found {
		return nil, err
	}
	return item.Value, nil
}

func (v *Verbs) set(value string, parts ...string) (bool, error) {
	key := v.key(parts)
	return outcome(key, v.client.Set(&memcache.Item{Key: key, Value: []byte(value)}))
}

func (v *Verbs) add(value string, seconds int, parts ...string) (bool, error) {
	key := v.key(parts)
	return outcome(key, v.client.Add(&memcache.Item{Key: key, Value: []byte(value), Expiration: int32(seconds)}))
}

func (v *Verbs) touch(seconds int, parts ...string) (bool, error) {
	key := v.key(parts)
	return outcome(key, v.client.Touch(key, int32(seconds)))
}

func (v *Verbs) delete(parts ...string) (bool, error) {
	key := v.key(parts)
	return outcome(key, v.client.Delete(key))
}

// count adds a number, which may be negative, and returns the sum.
func (v *Verbs) count(n int64, parts ...string) (uint64, error) {
	key := v.key(parts)
	change, by := v.client.Increment, uint64(n)
	if n < 0 {
		change, by = v.client.Decrement, uint64(-n)
	}
	sum, err := change(key, by)
	if err != nil {
		return 0, &VerbError{key, err}
	}
	return sum, nil
}

func (v *Verbs) key(parts []string) string { return v.prefix + strings.Join(parts, "/") }

// outcome tells whether something was found or changed.
func outcome(key string, err error) (bool, error) {
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, memcache.ErrCacheMiss), errors.Is(err, memcache.ErrNotStored):
		return false, nil
	}
	return false, &VerbError{key, err}
}

// structure is what is stored under one key.
type structure struct {
	verbs *Verbs
	name  string
}

// structure panics if the name is none, as an application chooses its names.
func (v *Verbs) structure(name string) structure {
	if !isName(name) {
		panic(fmt.Sprintf("memverbs: %q can't be a name: it must have neither white space nor a slash; Word makes such a name", name))
	}
	return structure{v, name}
}

// seconds rounds a time up, as no lock and no hold may be shorter than was asked for.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
