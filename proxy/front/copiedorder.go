package front

import (
	"hash/maphash"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/copies"
	"github.com/memverbs/memverbs/proxy/execution"
)

// copied is what a client has under way on keys with copies, by hashes of the keys: of two keys with one hash, one waits for the
// other.
type copied struct {
	reads   [copiedHashes]uint16
	changes [copiedHashes]uint16
	many    int // retrievals of several keys
	gats    int // those of them that are a gat
	all     int // whatever is under way
}

// copiedHashes is how many hashes there are. No client has so many requests under way that a count overflows.
const copiedHashes = 64

var copiedSeed = maphash.MakeSeed()

// hashOfCopied returns the hash of a key, of which the route may have stripped a prefix.
func hashOfCopied(prefix, key []byte) uint8 {
	if len(prefix) == 0 {
		return uint8(maphash.Bytes(copiedSeed, key) % copiedHashes)
	}
	var h maphash.Hash
	h.SetSeed(copiedSeed)
	h.Write(prefix)
	h.Write(key)
	return uint8(h.Sum64() % copiedHashes)
}

// begins notes that a request on a key is under way.
func (d *copied) begins(of *[copiedHashes]uint16, hash uint8) {
	of[hash]++
	d.all++
}

// ends notes that it is not any more.
func (d *copied) ends(of *[copiedHashes]uint16, hash uint8) {
	of[hash]--
	d.all--
}

// delays reports whether the next request of the client has to wait: a change for everything on its key, a read for changes, and
// what is about several keys or verbs for everything; and whatever has a key for a gat of several keys.
func (d *copied) delays(req *protocol.Request, named bool) bool {
	switch {
	case d.all == 0:
		return false
	case named || req.Verb != nil && execution.TakesKeys(req) || req.Command == protocol.FlushAll:
		return true
	case len(req.Key) == 0:
		return false
	case d.gats > 0:
		return true
	case req.Command.Retrieval() && req.NumWords > 1:
		return req.Command == protocol.Gat || req.Command == protocol.Gats || d.changesOne(req.Words)
	}
	hash := hashOfCopied(nil, req.Key)
	if d.changes[hash] > 0 {
		return true
	}
	reads := req.Verb == nil && copies.KindOf(req) == copies.Reads
	return !reads && (d.reads[hash] > 0 || d.many > 0)
}

// changesOne reports whether one of some keys is being changed.
func (d *copied) changesOne(words []byte) bool {
	for key := range protocol.Words(words) {
		if d.changes[hashOfCopied(nil, key)] > 0 {
			return true
		}
	}
	return false
}
