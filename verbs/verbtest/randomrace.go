package verbtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/memverbs/memverbs/verbs"
)

// RandomRace returns a random race without clients, with one of some StructureItemSizes, in
// bytes.
func RandomRace(r *rand.Rand, sizes ...int) (race Race) {
	race.Options = verbs.Options{CompactDirtiness: r.IntN(4), StructureItemSize: sizes[r.IntN(len(sizes))]}
	race.Options.LongSegment = RandomLong(r, race.Options.StructureItemSize)
	race.Old, race.Direct = r.IntN(3) == 0, r.IntN(8) != 0
	race.Chance = func() func() uint64 { return Counter(1 << 40) } // writers always consider compacting
	if seed := r.Uint64(); r.IntN(2) == 0 {
		race.Chance = func() func() uint64 { return rand.NewPCG(seed, 0).Uint64 }
	}
	race.Slice, race.Views = []int{0, 0, 1, 3}[r.IntN(4)], r.IntN(2) == 0
	return race
}

// RandomLong returns one of some LongSegments for a StructureItemSize: with the usual one, little is
// merged in a short history.
func RandomLong(r *rand.Rand, size int) int { return []int{0, 1, 1 + size/2, 1 + size}[r.IntN(4)] }

// LetTimePass lets some time pass in the race, or none, for two proxies whose clocks may
// differ.
func (race *Race) LetTimePass(r *rand.Rand) {
	race.Elapse = []int64{0, 0, 2, 300}[r.IntN(4)]
	race.Skew = []int64{0, 0, -3000, 70_000}[r.IntN(4)]
	if r.IntN(4) == 0 {
		race.Jumps = []int64{3000, 25_000, 3_600_000}[r.IntN(3)]
	}
}

// Pad returns what to append to each word of the race: nothing or, now and then, so much that
// segments have several parts.
func (race *Race) Pad(r *rand.Rand) string {
	if r.IntN(8) > 0 {
		return ""
	}
	race.Limit = 512
	return strings.Repeat(".", 200)
}

// Carried returns the request with one of some exptimes, or without one, see [Parse].
func Carried(r *rand.Rand, request string) string {
	return []string{"", "", fmt.Sprintf("@%d ", lifeUnit), fmt.Sprintf("@%d ", 3*lifeUnit)}[r.IntN(4)] + request
}

// AddClients gives the race so many clients, each with up to so many requests. request returns
// the next one of client number i.
func (race *Race) AddClients(r *rand.Rand, clients, requests int, request func(i int) string) {
	for i := range clients {
		var list []string
		for range 1 + r.IntN(requests) {
			list = append(list, request(i))
		}
		race.Clients = append(race.Clients, list)
	}
}

// AddCrowd is AddClients with a few clients of a few requests or, now and then, with so many
// that crowd says.
func (race *Race) AddCrowd(r *rand.Rand, crowd int, request func() string) {
	clients, requests := 2+r.IntN(3), 1+r.IntN(4)
	if r.IntN(6) == 0 {
		clients, requests = crowd, 1+r.IntN(3)
	}
	race.AddClients(r, clients, requests, func(int) string { return request() })
}
