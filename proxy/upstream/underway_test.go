package upstream

import "testing"

// With many connections, each may have less in flight.
func TestUnderWayIsAPartOfTheMemory(t *testing.T) {
	for _, share := range []int{256 << 20 / 8, 256 << 20 / 8 / 64 / 4, 32 << 20 / 8 / 12 / 2} {
		most := UnderWayWith(share)
		if each := most.queued + most.expected + most.pending*pendingSize; each > 3*max(share, leastBytes) || most.pending < leastPending {
			t.Errorf("%d bytes each: %v, %d bytes in all", share, most, each)
		}
	}
}
