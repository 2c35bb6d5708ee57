package structures

import (
	"strconv"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// ofTheIndex is how many items the index of a table has at most here. A proxy reads the index of a
// table in use once a minute, so that it is not evicted, and sometimes as soon as it finds the table.
// It does so after the answer of a call, so a test that has this answer cannot tell when.
const ofTheIndex = 10

// An hget asks memcached for the row and the anchor, in one round trip, however many rows the
// table has; and an hgetall for the index, and then for all rows and the anchor at once. The
// proxy that reads is not the one that has stored the rows.
func TestRowCostsTheSameInAnyTable(t *testing.T) {
	t.Parallel()
	store := harness.StartMemcached(t, "1.6.38", "-m", "512")
	writer := harness.StartPlainMemverbs(t, append([]string{"--upstream", store.Addr}, patient...)...)
	m := harness.StartPlainMemverbs(t, append([]string{"--upstream", store.Addr}, patient...)...)
	c := harness.Dial(t, m.Addr)
	hget, reads := rowReads[0], 500
	for _, size := range tableSizes {
		if err := pump(writer.Addr, 0, size, "STORED", hget.fill(size)); err != nil {
			t.Fatal(err)
		}
		ask := func(all []exchange) {
			for _, e := range all {
				c.Ask(string(e.requests), string(e.answers))
			}
		}
		ask(hget.random(size, 1, 1)) // from now on the proxy knows the table
		gets, trips := costOf(t, store, m, "hget", func() { ask(hget.random(size, reads, 1)) })
		if !isAbout(gets, 2*reads) || !isAbout(trips, reads) {
			t.Errorf("%d hgets of a table of %d rows: %d gets in %d round trips, expected %d in %d, or a few more", reads, size, gets, trips, 2*reads, reads)
		}
	}
	list := func() {
		c.Send("hgetall table1000\r\n")
		c.Until("END")
	}
	list() // from now on the proxy knows how long rows are
	gets, trips := costOf(t, store, m, "hgetall", list)
	if !isAbout(gets, 1+1000+1) || !isAbout(trips, 2) {
		t.Errorf("hgetall of 1000 rows: %d gets in %d round trips, expected 1002 in 2, or a few more", gets, trips)
	}
}

// isAbout reports whether n is what verbs ask for, or as much more as an index costs.
func isAbout(n, asked int) bool { return n >= asked && n <= asked+ofTheIndex }

// costOf returns how many items memcached is asked for by what do does, and in how many round
// trips of a verb.
func costOf(t *testing.T, store *harness.Memcached, m *harness.Memverbs, verb string, do func()) (gets, trips int) {
	t.Helper()
	count := func(stats map[string]string, name string) int {
		n, err := strconv.Atoi(stats[name])
		if err != nil {
			t.Fatalf("%s is %q", name, stats[name])
		}
		return n
	}
	gets, trips = count(store.Stats(), "cmd_get"), count(m.OwnStats(), "verb_"+verb+"_round_trips")
	do()
	return count(store.Stats(), "cmd_get") - gets, count(m.OwnStats(), "verb_"+verb+"_round_trips") - trips
}
