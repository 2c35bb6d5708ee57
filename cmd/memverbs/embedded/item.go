package embedded

import "sync/atomic"

const (
	// header is what memcached adds to the key and value of an item, in bytes: its
	// header, the CAS, a zero after the key and the line end after the value.
	header = 48 + 8 + 1 + 2
	// flagsSize is what flags add if they are not 0.
	flagsSize = 4
	// bookkeeping is what an item takes here in addition to its size in memcached, in
	// bytes: otter's entry and its slot in the hash table, and the rounding of Go's
	// allocator.
	bookkeeping = 160
)

// item is the item under a key. Once it is in the cache, only lastRead changes.
type item struct {
	content
	lastRead atomic.Int64 // second, or 0 if it has not been read
}

// content is what an item is stored with.
type content struct {
	value   []byte
	flags   uint32
	expires int64 // second at which it expires, or never
	cas     uint64
	stored  int64 // second

	encoded bool // its key was stored in base64 and is shown in base64
	stale   bool // it was invalidated, and is still served until it is replaced
	won     bool // a client was told to replace it
}

// clone returns a copy that may be changed. It shares the bytes of the value, which
// must not be.
func (it *item) clone() *item {
	next := &item{content: it.content}
	next.lastRead.Store(it.lastRead.Load())
	return next
}

// itemSize returns the size of an item in memcached, in bytes.
func itemSize(key, value int, flags uint32) int {
	size := header + key + value
	if flags != 0 {
		size += flagsSize
	}
	return size
}

func (it *item) size(key int) int { return itemSize(key, len(it.value), it.flags) }

// read records that the item was read. It avoids writing the same value again, since
// many goroutines read items.
func (it *item) read(now int64) {
	if it.lastRead.Load() != now {
		it.lastRead.Store(now)
	}
}

// idle returns for how many seconds the item has been neither stored nor read.
func (it *item) idle(now int64) int64 {
	return max(0, now-max(it.stored, it.lastRead.Load()))
}

func (it *item) expired(now int64) bool {
	return it.expires != never && it.expires <= now
}

// ttl returns how many seconds the item has left, or -1 if it never expires. As in
// memcached, the number has 32 bits and wraps if the time has passed, as for a client
// that has just set an expired time.
func (it *item) ttl(now int64) int64 {
	if it.expires == never {
		return -1
	}
	return int64(uint32(it.expires - now))
}
