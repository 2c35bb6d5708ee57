package holding

import (
	"sync/atomic"

	"github.com/memverbs/memverbs/proxy/byprefix"
)

// Keys are the keys of a pool for which gets may wait.
type Keys struct {
	durations byprefix.Durations
	waiting   atomic.Int64
}

// NewKeys returns the keys with prefixes. The durations say for how long gets wait.
func NewKeys(list []byprefix.Duration) *Keys { return &Keys{durations: byprefix.New(list)} }

// For returns for how long a get of key may wait, in microseconds; 0 if it does not wait.
func (k *Keys) For(key []byte) int64 { return k.durations.Of(key) }

// Waiting returns how many gets wait now. A get of keys of several pools counts for the pool of the first.
func (k *Keys) Waiting() int { return int(k.waiting.Load()) }

// Key is a key of a pool, as it is stored.
type Key struct {
	Of   *Keys
	Text string
}

// lasts returns for how long gets of the key wait.
func (k Key) lasts() int64 { return k.Of.For([]byte(k.Text)) }
