package embedded

import "sync/atomic"

const (
	// header is what memcached adds to the key and value of an item, in
	// bytes: its header, the CAS, the zero behind the key and the line end
	// behind the value.
	header = 48 + 8 + 1 + 2
	// flagsSize is what flags other than 0 add.
	flagsSize = 4
	// bookkeeping is what an item takes in this process beyond what it would
	// in memcached, in bytes: otter's entry and its place in the hash table,
	// and what Go's allocator rounds up.
	bookkeeping = 160
)

// item is what is kept under a key. None of it changes once it is in the
// cache, except for lastRead.
type item struct {
	value    []byte
	flags    uint32
	expires  int64 // second from which it is gone, or never
	cas      uint64
	stored   int64        // second
	lastRead atomic.Int64 // second, or 0 if it was not read yet

	encoded bool // its key came in base64 and is shown so
	stale   bool // it was invalidated, and serves until it is replaced
	won     bool // a client was told to replace it
}

// clone returns a copy of it that can be changed, except for the bytes of the
// value, which they share.
func (it *item) clone() *item {
	next := &item{
		value:   it.value,
		flags:   it.flags,
		expires: it.expires,
		cas:     it.cas,
		stored:  it.stored,
		encoded: it.encoded,
		stale:   it.stale,
		won:     it.won,
	}
	next.lastRead.Store(it.lastRead.Load())
	return next
}

// itemSize returns how large memcached would call an item, in bytes.
func itemSize(key, value int, flags uint32) int {
	size := header + key + value
	if flags != 0 {
		size += flagsSize
	}
	return size
}

func (it *item) size(key int) int { return itemSize(key, len(it.value), it.flags) }

// read notes that it was read. Items are read by many goroutines, so the note
// is not written again where it says so already.
func (it *item) read(now int64) {
	if it.lastRead.Load() != now {
		it.lastRead.Store(now)
	}
}

// idle returns for how many seconds it has been neither stored nor read.
func (it *item) idle(now int64) int64 {
	return max(0, now-max(it.stored, it.lastRead.Load()))
}

func (it *item) expired(now int64) bool {
	return it.expires != never && it.expires <= now
}

// ttl returns how many seconds it has left, or -1 if it never expires. As
// memcached's, the number has 32 bits and wraps if the time is over, which a
// client sees that has just set it so.
func (it *item) ttl(now int64) int64 {
	if it.expires == never {
		return -1
	}
	return int64(uint32(it.expires - now))
}
