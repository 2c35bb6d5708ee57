package sharding

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"
)

// rendezvous is a layout in which every server bids for every key.
type rendezvous struct {
	classes []weightClass
	logs    [logSteps + 1]uint64
}

// weightClass is the servers of one weight. Comparing bids within a class needs no
// logarithm.
type weightClass struct {
	weight  uint64
	seeds   []uint64
	servers []int // indexes into the pool
}

// newRendezvous returns a layout for new pools: weighted rendezvous hashing, after
// David Thaler and Chinya Ravishankar ("Using Name-Based Mappings to Increase Hit
// Rates", 1998), with weights by the logarithm method of Christian Schindelhauer
// and Gunnar Schomaker ("Weighted Distributed Hash Tables", 2005).
//
// Each pair of a server and a key is hashed to a number u between 0 and 1, and the
// server with the least -log(u)/weight has the key. So each server's share of the keys
// is its share of the total weight. A server that joins or gains weight takes keys from
// the others, one that leaves or loses weight gives keys to them, and no other key
// moves. The order of the list does not matter. The price is that a lookup takes time
// in proportion to the number of servers.
//
// In detail, all in unsigned 64-bit integers: the key and the server are each hashed by
// XXH3 with seed 0. The text hashed for a server is its name if it has one, else
// "host:port" or the path of the unix socket. Let x be the exclusive or of the two
// hashes and p the 128-bit product of x and 0x9e3779b97f4a7c15; then u is the exclusive
// or of the upper and lower halves of p, divided by 2^64. The logarithm of u to base 2
// is exact at 1024 steps from each power of two to the next, linear in between, and
// kept in units of 2^-40. Among servers of one weight the greatest u wins, which needs
// no logarithm. The smaller weight wins a tie, then the earlier server.
func newRendezvous(servers []Server) (Layout, error) {
	r := &rendezvous{}
	for i := range r.logs {
		r.logs[i] = uint64(math.Round((1 - math.Log2(1+float64(i)/logSteps)) * logUnit))
	}
	for i, s := range servers {
		text := s.Name
		if text == "" {
			text = s.hostPort()
		}
		c := r.class(uint64(s.Weight))
		c.seeds = append(c.seeds, xxh3.HashString(text))
		c.servers = append(c.servers, i)
	}
	return r, nil
}

// class returns the class of a weight and adds it if it is missing.
func (r *rendezvous) class(weight uint64) *weightClass {
	i, found := slices.BinarySearchFunc(r.classes, weight, func(c weightClass, w uint64) int {
		return cmp.Compare(c.weight, w)
	})
	if !found {
		r.classes = slices.Insert(r.classes, i, weightClass{weight: weight})
	}
	return &r.classes[i]
}

// Locate implements [Layout].
func (r *rendezvous) Locate(key []byte) int {
	hash := xxh3.Hash(key)
	winner, u := r.classes[0].best(hash)
	if len(r.classes) == 1 {
		return winner
	}
	least, weight := r.minusLog(u), r.classes[0].weight
	for i := 1; i < len(r.classes); i++ {
		c := &r.classes[i]
		server, u := c.best(hash)
		// -log2(u) is at least 1-u, and most bids lose by that bound already.
		if ^u>>(64-logBits)*weight >= least*c.weight {
			continue
		}
		if cost := r.minusLog(u); cost*weight < least*c.weight {
			winner, least, weight = server, cost, c.weight
		}
	}
	return winner
}

// best returns the server of the class with the greatest u, and that u.
func (c *weightClass) best(hash uint64) (server int, u uint64) {
	at := 0
	for i, seed := range c.seeds {
		if bid := scatter(hash ^ seed); bid > u {
			at, u = i, bid
		}
	}
	return c.servers[at], u
}

// scatter mixes the bits of x: results for different x are unrelated.
func scatter(x uint64) uint64 {
	high, low := bits.Mul64(x, 0x9e3779b97f4a7c15)
	return high ^ low
}

const (
	logSteps = 1 << 10 // entries in the table of logarithms
	logBits  = 40      // fractional bits of a logarithm
	logUnit  = 1 << logBits
)

// minusLog returns -log2(u/2^64), which is at most 64, in units of 1/logUnit.
// Multiplied by a weight it still fits 64 bits.
func (r *rendezvous) minusLog(u uint64) uint64 {
	u = max(u, 1)
	zeros := bits.LeadingZeros64(u)
	u <<= zeros
	step := u >> 53 % logSteps
	part := u >> 21 & math.MaxUint32
	fall := r.logs[step] - r.logs[step+1]
	return uint64(zeros)<<logBits + r.logs[step] - fall*part>>32
}
