package copies

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
)

// Fill fills the lead with a value that it lacks, and that another copy has. A change made meanwhile wins.
//
//	ToMark ──the lead has an item──▶ Ended
//	  └────▶ ToRead ──nothing to store──▶ ToUnmark ──▶ Ended
//	            ├──the lead has another connection──▶ Ended
//	            └──▶ ToStore ──▶ Ended
type Fill struct {
	cas   uint64 // of the mark
	epoch uint32 // of the connection to the lead
}

// FillStep is what a fill does next.
type FillStep uint8

const (
	ToMark   FillStep = iota // the lead
	ToRead                   // the other copy
	ToStore                  // what was read, in place of the mark
	ToUnmark                 // the lead
	Ended
)

// Begin returns the first step.
func (f *Fill) Begin() FillStep { return ToMark }

// Marked is called when the lead has answered, with the CAS of the mark, 0 if it has none. The epoch is that of the connection.
func (f *Fill) Marked(cas uint64, epoch uint32) FillStep {
	if cas == 0 {
		return Ended
	}
	f.cas, f.epoch = cas, epoch
	return ToRead
}

// HasRead is called when the other copy has answered. worth says that it has something to be stored. The epoch is that of the
// connection to the lead now: if it is another one, the lead may have been restarted, and may have another mark by the same CAS.
func (f *Fill) HasRead(worth bool, epoch uint32) FillStep {
	switch {
	case epoch != f.epoch:
		return Ended
	case !worth:
		return ToUnmark
	}
	return ToStore
}

// Request returns the request for a step but the last, on the item under key. value is what the other copy has.
func (f *Fill) Request(step FillStep, key []byte, value *protocol.Reply) (r protocol.Request) {
	switch step {
	case ToMark: // an item that is missing, and ask for the CAS of the mark
		r.SetMeta(protocol.MetaSet, key, nil, fmt.Appendf(nil, " ME T%d c", MarkLives))
		r.Data = mark
	case ToRead: // all that a fill needs of an item
		r.SetMeta(protocol.MetaGet, key, nil, []byte(" f t v"))
	case ToStore: // the value, with flags as memcached has shown them
		flags, lives := flagsAndLife(value.Line)
		r.SetMeta(protocol.MetaSet, key, nil, fmt.Appendf(nil, " C%d F%s T%d", f.cas, flags, lives))
		r.Data = value.Data
	case ToUnmark:
		r.SetMeta(protocol.MetaDelete, key, nil, fmt.Appendf(nil, " C%d", f.cas))
	}
	return r
}
