package format

import (
	"math/rand/v2"
	"testing"
)

// begun is when the test begins, in milliseconds since 1970.
const begun = 1_700_000_000_000

// Nothing expires early, or later than a 64th of its life or a second, and there are few different times.
func TestUntil(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, seconds := range []int64{1, 2, 63, 64, 65, 127, 128, 129, 3600, 86400, 7 * 86400, LongestLife} {
		different := map[int64]bool{}
		for range 1000 {
			now := begun + random.Int64N(1000*seconds)
			until := Until(now, seconds)
			if late := 1000*until - now - 1000*seconds; late < 0 || late >= max(1000, 1000*seconds/64) {
				t.Fatalf("what lasts %d seconds at %d lasts until %d", seconds, now, until)
			}
			different[until] = true
		}
		if len(different) > 130 {
			t.Errorf("in %d seconds there are %d different times", seconds, len(different))
		}
	}
	if LongestLife*1000+begun > 1000*LatestUntil {
		t.Errorf("something may last until %d", Until(begun, LongestLife))
	}
}
