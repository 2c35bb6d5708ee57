package tables

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Random clients with random mishaps.
func TestRandomSchedules(t *testing.T) { verbtest.TryRandom(t, &rules, 8_000) }

// mostRequests is how many requests the clients of a random race make together, at most: when several fail, the
// histories of more take too long to judge.
const mostRequests = 9

// randomRace returns a random race.
func randomRace(r *rand.Rand) verbtest.Race {
	race := verbtest.RandomRace(r, 4, 14, 30, 300)
	race.LetTimePass(r)
	race.Log = "none"
	race.First = [][][]string{nil, known, dead, emptied}[r.IntN(4)]
	number := 0
	clients := 2 + r.IntN(3)
	race.AddClients(r, clients, min(4, mostRequests/clients), func(int) string {
		number += 1000
		return randomRequest(r, number)
	})
	return race
}

// randomRequest returns a random request that stores a number, if it stores one.
func randomRequest(r *rand.Rand, number int) string {
	field := fields[r.IntN(len(fields))]
	switch r.IntN(16) {
	case 0, 1, 2, 3:
		return set("k", field, fmt.Sprint(number))
	case 4:
		return fmt.Sprintf("hadd k %s 0 0 %d\r\n%d", field, len(fmt.Sprint(number)), number)
	case 5, 6:
		return "hget k " + field
	case 7:
		return "hexists k " + field
	case 8, 9:
		return "hdel k " + field
	case 10:
		return fmt.Sprintf("hincr k %s %d", field, 1+r.IntN(9)) + randomInitial(r, number)
	case 11:
		return fmt.Sprintf("hdecr k %s %d", field, 1+r.IntN(9)) + randomInitial(r, number)
	case 12:
		return "hgetall k" + randomPage(r)
	case 13:
		return "hkeys k" + randomPage(r)
	case 14:
		return "settle k"
	}
	return "remove k"
}

// randomPage returns an offset and a count as the last words of a request for a listing, or nothing.
func randomPage(r *rand.Rand) string {
	switch r.IntN(6) {
	case 0, 1:
		return ""
	case 2:
		return fmt.Sprintf(" %d -1", r.IntN(3))
	}
	return fmt.Sprintf(" %d %d", r.IntN(3), 1+r.IntN(3))
}

// randomInitial returns the number as the last word of a request that counts, or nothing.
func randomInitial(r *rand.Rand, number int) string {
	if r.IntN(2) == 0 {
		return ""
	}
	return fmt.Sprint(" ", number)
}
