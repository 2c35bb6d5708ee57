package rankings

import (
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// Ranking is the fold of a ranking's log: the scores after all tokens in order, at a time. It
// points into the log and keeps no copy of it. The zero value is an empty ranking, and a
// Ranking can be reused for one log after another.
type Ranking struct {
	log    []byte
	start  int  // where the next token begins
	tokens int  // in the log
	others int  // those of other kinds
	bad    bool // the log has a word that is no token of any kind

	entries []entry
	table   []uint32 // see members.go
	touched uint32   // keeps the compiler from removing the look-ups of lookAhead
	live    int      // entries that are members now
	length  int      // total length of these members, in bytes
	written written  // what AppendLog writes for the entries

	increments []increment // see expiry.go
	clamping   bool        // the log has tokens that raise or lower scores, see clamp.go
	scratch    []uint32    // for the history of an entry
	recounted  uint32      // 1 + the index of the entry whose score was last recounted since the time was advanced, or 0
	pending    expiryHeap  // those that have not expired
	leaving    expiryHeap  // those that have expired, and are kept for a while
	times      []uint32    // by the hash of a time: 1 + the index of an increment in a heap, or 0
	now        int64       // the time that the scores are of, in milliseconds
	since      int64       // when an increment last expired or was forgotten; 0 for never

	lowest, highest end // see ends.go
	inOrder         *inOrder
	wanted          int // how often the order of all members was wanted, see arrange
	moved           int // changes of scores since the log was extended last, while all members are in order

	told   format.Results[[]int64] // the new scores, in order, see orders.go
	orders int                     // tokens that are orders

	expected int         // tokens, see Expect
	pace     *verbs.Pace // of Read, for work on the parts of one token; nil otherwise
}

// Live implements [format.Fold]. It returns the number of members.
func (r *Ranking) Live() int { return r.live }

// end is the members at one end of a ranking, the outermost first. The zero value has none.
type end struct {
	members []uint32 // indexes of their entries
	all     bool     // the end has all members of the ranking
	highest bool     // the end with the highest scores
}

// toldSize is how much memory a result takes in addition to its scores, in bytes.
const toldSize = 64

// inOrder is all members of a ranking in order, the lowest first, in chunks, so that a change moves few of
// them. Most rankings never have one: it is made when members far from both ends are asked for by
// score or by name for the second time since the log was read, and takes the place of the ends.
type inOrder struct {
	chunks [][]uint32 // indexes of entries; none is empty
}
