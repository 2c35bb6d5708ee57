package status

import (
	"slices"
	"testing"
)

// Whatever is counted is told, by a name of its own.
func TestCountersAreTold(t *testing.T) {
	t.Parallel()
	stats, metrics := map[string]bool{}, map[string]bool{}
	for i, c := range slices.Concat(Counters[:], PoolCounters[:], UpstreamCounters[:]) {
		if c.Stat == "" && c.Metric == "" || c.Stat != "" && stats[c.Stat] {
			t.Errorf("counter %d has no name of its own in stats: %q", i, c.Stat)
		}
		stats[c.Stat] = true
		if metric := c.Metric + " " + c.Label.Value; c.Metric != "" && (metrics[metric] || c.Help == "") {
			t.Errorf("the metric %s of counter %d is another's, or says nothing", metric, i)
		} else {
			metrics[metric] = true
		}
	}
}

func TestCountsAdd(t *testing.T) {
	t.Parallel()
	one, other := UpstreamCounts{}, UpstreamCounts{}
	for i := range one {
		one[i], other[i] = uint64(i), 100
	}
	Add(one[:], other[:])
	for i, n := range one {
		if n != uint64(i)+100 {
			t.Errorf("counter %d is %d", i, n)
		}
	}
	if n := one.Failures(); n != 300+uint64(Errors+Timeouts+Refused) {
		t.Errorf("%d failures", n)
	}
}
