package sharding

import "strconv"

// sampledKeys is how many keys are located to tell which share of them moves.
const sampledKeys = 10000

// Moved returns an estimate of the share of all keys, from 0 to 1, that after places on another server than
// before does. A server is known by its name; the names of each layout's servers are in the order of its indexes.
func Moved(before, after Layout, beforeNames, afterNames []string) float64 {
	moved := 0
	for i := range uint64(sampledKeys) {
		// Keys that differ only in their last characters would often share a server.
		key := strconv.AppendUint(nil, (i+1)*0x9e3779b97f4a7c15, 36)
		if beforeNames[before.Locate(key)] != afterNames[after.Locate(key)] {
			moved++
		}
	}
	return float64(moved) / sampledKeys
}
