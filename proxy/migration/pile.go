package migration

import (
	"encoding/binary"

	"github.com/memverbs/memverbs/proxy/metadump"
)

// fate is what becomes of an item on a server.
type fate uint8

const (
	stays  fate = iota
	leaves      // its key is to be on another server
	stray       // it was there before its key came
)

// A pile has room for leastPile bytes, or for up to mostPile if so many are of items that stay.
const (
	leastPile = 16 << 20
	mostPile  = 256 << 20
)

// pile is items of a server, in little memory: of each its fate, its CAS, the length of its key, and its key.
type pile struct {
	most  int // bytes
	bytes []byte
}

// add adds an item. It returns false if there is no room for another one.
func (p *pile) add(f fate, item *metadump.Item) bool {
	p.bytes = binary.AppendUvarint(append(p.bytes, byte(f)), item.CAS)
	p.bytes = append(append(p.bytes, byte(len(item.Key))), item.Key...)
	return len(p.bytes) < p.most
}

// oldItem is an item from before a migration.
type oldItem struct {
	key []byte
	cas uint64
}

// take takes at most so many items from the pile: those that leave, and those from before. They refer to the pile.
func (p *pile) take(most int) (leave [][]byte, strays []oldItem) {
	for range most {
		if len(p.bytes) == 0 {
			break
		}
		f := fate(p.bytes[0])
		cas, n := binary.Uvarint(p.bytes[1:])
		rest := p.bytes[1+n:]
		key := rest[1 : 1+int(rest[0])]
		if p.bytes = rest[1+len(key):]; f == leaves {
			leave = append(leave, key)
		} else {
			strays = append(strays, oldItem{key, cas})
		}
	}
	return leave, strays
}
