package sharding

import (
	"math"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// rendezvous is a layout in which every server bids for every key.
type rendezvous struct {
	bidders []bidder
	logs    [logSteps + 1]uint64
}

type bidder struct{ seed, weight uint64 }

// NewRendezvous returns a layout for new pools: weighted rendezvous hashing, after
// David Thaler and Chinya Ravishankar ("Using Name-Based Mappings to Increase Hit
// Rates", 1998), with weights by the logarithm method of Christian Schindelhauer
// and Gunnar Schomaker ("Weighted Distributed Hash Tables", 2005).
//
// Every server and key together give a random number u between 0 and 1, and the
// server with the least -log(u)/weight has the key. So a server holds exactly the
// share of keys that its weight is of the total, a server that joins or gains
// weight takes keys from the others, and one that leaves or loses weight gives
// keys to them; no other key moves. The order of the list does not matter. That
// is paid for by lookups that take time in proportion to the number of servers.
//
// In detail, all of it on unsigned integers of 64 bits: the key and the server
// are each hashed by XXH3 with seed 0; of a server that is its name if it has
// one, else "host:port", else the path of the unix socket. With x the exclusive
// or of the two hashes, u is the exclusive or of the upper and the lower half of
// the product, of 128 bits, of x and 0x9e3779b97f4a7c15, taken over 2^64. Its
// logarithm to base 2 is exact at 1024 steps from each power of two to the next,
// linear in between, and kept in units of 2^-40. If two servers are equal the
// earlier one has the key.
//
// It refuses an empty pool, a server that is there twice, and a weight that is
// not from 1 to [MaxWeight].
func NewRendezvous(servers []Server) (Layout, error) {
	if err := checkPool("rendezvous", servers, hasWeights|hasNames); err != nil {
		return nil, err
	}
	r := &rendezvous{}
	for i := range r.logs {
		r.logs[i] = uint64(math.Round((1 - math.Log2(1+float64(i)/logSteps)) * logUnit))
	}
	for _, s := range servers {
		text := s.Name
		if text == "" {
			text = s.hostPort()
		}
		r.bidders = append(r.bidders, bidder{xxh3.HashString(text), uint64(s.Weight)})
	}
	return r, nil
}

// Locate implements [Layout].
func (r *rendezvous) Locate(key []byte) int {
	hash := xxh3.Hash(key)
	winner, weight := 0, r.bidders[0].weight
	least := r.minusLog(scatter(hash ^ r.bidders[0].seed))
	for i := 1; i < len(r.bidders); i++ {
		b := &r.bidders[i]
		u := scatter(hash ^ b.seed)
		// -log2(u) is at least 1-u, and most bids are lost by that already.
		if ^u>>(64-logBits)*weight >= least*b.weight {
			continue
		}
		if cost := r.minusLog(u); cost*weight < least*b.weight {
			winner, least, weight = i, cost, b.weight
		}
	}
	return winner
}

// scatter turns numbers that differ into numbers without relation.
func scatter(x uint64) uint64 {
	high, low := bits.Mul64(x, 0x9e3779b97f4a7c15)
	return high ^ low
}

const (
	logSteps = 1 << 10 // in the table of logarithms
	logBits  = 40      // after the point of a logarithm
	logUnit  = 1 << logBits
)

// minusLog returns -log2(u/2^64) in units of 1/logUnit: from 0 to 64 of them, so
// that it can be multiplied by a weight.
func (r *rendezvous) minusLog(u uint64) uint64 {
	u |= 1
	zeros := bits.LeadingZeros64(u)
	u <<= zeros
	step := u >> 53 % logSteps
	part := u >> 21 & math.MaxUint32
	fall := r.logs[step] - r.logs[step+1]
	return uint64(zeros)<<logBits + r.logs[step] - fall*part>>32
}
