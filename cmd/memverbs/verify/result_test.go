package verify

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/proxy/metadump"
	"github.com/memverbs/memverbs/sharding"
)

// byFirst is a layout of three servers that places a key by its first letter: a, b or c.
type byFirst struct{}

func (byFirst) Locate(key []byte) int { return int(key[0]-'a') % 3 }

// byLast places it by its last letter.
type byLast struct{}

func (byLast) Locate(key []byte) int { return int(key[len(key)-1]) % 3 }

var bothLayouts = []Layout{{"first", byFirst{}}, {"last", byLast{}}}

// outcome is the result for three servers that have keys.
func outcome(layouts []Layout, servers ...string) *Result {
	return outcomeOf(Check{Layouts: layouts}, servers...)
}

func outcomeOf(c Check, servers ...string) *Result {
	var tallies []*tally
	for i, keys := range servers {
		c.Servers = append(c.Servers, Server{Name: fmt.Sprint("server", i), Share: 1})
		t := newTally(c.Layouts, c.Others, i, 1/float64(len(servers)))
		for key := range strings.FieldsSeq(keys) {
			t.add(metadump.Item{Key: []byte(key)})
		}
		tallies = append(tallies, t)
	}
	return c.sum(tallies)
}

const testID = "rRRpR-AG9TaYVV0h"

func TestWhatIsFound(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		servers [3]string
		found   int
		owned   int
		misses  string // keys, some of them
	}{
		{"all", [3]string{"a1 a2", "b1", "c1"}, 4, 0, ""},
		{"one elsewhere", [3]string{"a1 a2 c2", "b1", "c1"}, 4, 0, "c2"},
		{"of many elsewhere, six of each server", [3]string{"b1 b2 b3 b4 b5 b6 b7", "b1", "b8 b9"}, 1, 0, "b1 b2 b3 b4 b5 b6 b8 b9"},
		// The item's key begins with its structure's, so byFirst places both on one server.
		{"parts", [3]string{"a:" + testID + ".0", "b:" + testID + "=x", ""}, 2, 0, ""},
	} {
		r := outcome(bothLayouts[:1], test.servers[:]...)
		best := r.ranked[0]
		if best.found != test.found || best.owned != test.owned || strings.Join(missed(r), " ") != test.misses {
			t.Errorf("%s: %d found, %d owned, %q missed; expected %d, %d, %q", test.name, best.found, best.owned, missed(r), test.found, test.owned, test.misses)
		}
		if r.Fits() != (test.misses == "") {
			t.Errorf("%s: fits: %t", test.name, r.Fits())
		}
	}
}

// missed returns the examples of keys that the best layout does not find.
func missed(r *Result) (keys []string) {
	for _, t := range r.tallies {
		for _, m := range t.fits[r.ranked[0].layout].misses {
			keys = append(keys, m.key)
		}
	}
	return keys
}

// An item of a structure is in place where the structure's key belongs, or its own.
func TestItemsOfStructures(t *testing.T) {
	t.Parallel()
	part := ":" + testID + ".0"
	keys := [3]string{"a" + part, "b" + part, "c" + part}
	own, owner := byLast{}.Locate([]byte(part)), byLast{}.Locate([]byte("a"))
	if own == owner {
		t.Fatal("the key belongs where its owner does")
	}
	var servers [3]string
	servers[own] += keys[0]        // as an application has stored it
	servers[owner] += keys[0]      // as memverbs has
	servers[3-own-owner] = keys[0] // as neither has
	r := outcome(bothLayouts[1:], servers[:]...)
	if best := r.ranked[0]; best.found != 2 || best.owned != 1 || len(missed(r)) != 1 {
		t.Errorf("%d found, %d owned, %q missed", best.found, best.owned, missed(r))
	}
	if expected := 3 * (1 - 4.0/9); r.chance < expected-1e-9 || r.chance > expected+1e-9 {
		t.Errorf("chance finds %v, expected %v", r.chance, expected)
	}
}

func TestReports(t *testing.T) {
	t.Parallel()
	checkReport(t, outcome(bothLayouts[:1], "a1 a2", "b1", "c1 c2"), false, `
        keys        found  server
           2            2  server0
           1            1  server1
           2            2  server2

5 of 5 keys are where this layout looks for them.
By chance, a layout that has nothing to do with this pool finds about 2.
`)
	checkReport(t, outcome([]Layout{bothLayouts[1], bothLayouts[0], {"twin", byFirst{}}}, "a1 a2", "b1", "c1 c2"), true, `
  keys found          layout
           5 100.0 %  first
           5 100.0 %  twin
           2  40.0 %  last

        keys        found  server
           2            2  server0
           1            1  server1
           2            2  server2

5 of 5 keys are where first looks for them.
By chance, a layout that has nothing to do with this pool finds about 2.
2 layouts place these keys alike, and each of them fits: first, twin.
`)
	checkReport(t, outcome(bothLayouts[:1], "b\x1b[2J\u202e\xff c b2 b3 b4 b5 b6", "b1", "a1 a2"), false, `
        keys        found  server
           7            0  server0
           1            1  server1
           2            0  server2

1 of 10 keys are where this layout looks for them.
By chance, a layout that has nothing to do with this pool finds about 3.

9 are elsewhere, such as
  "b\x1b[2J\u202e\xff": it is on server0, and looked for on server1
  "a1": it is on server2, and looked for on server0
  "c": it is on server0, and looked for on server2
  "a2": it is on server2, and looked for on server0
  "b2": it is on server0, and looked for on server1
  "b3": it is on server0, and looked for on server1

Either the layout is another one, or the servers are not given as the clients have them: their
order, weights and names, and whether it is host names or addresses. Or some clients
hash only a part of the key (--unhashed-prefix, --hash-tag), or differ in their layouts.
Or other pools have keys on these servers: a file with all of them (--config) tells which.
--guess tries all layouts.
`)
	checkReport(t, outcome(bothLayouts[:1], "a"+strings.Repeat(" a", 1999), "b c", "c"), false, `
        keys        found  server
       2 000        2 000  server0
           2            1  server1
           1            1  server2

2 002 of 2 003 keys are where this layout looks for them.
By chance, a layout that has nothing to do with this pool finds about 668.

1 is elsewhere, such as
  "c": it is on server1, and looked for on server2

Probably the layout is right. Keys stay elsewhere when servers are added or removed, and if a
client stores them on another server while theirs is down; nobody finds them there.
`)
	ring, err := sharding.ByName(sharding.Default, []sharding.Server{{Host: "a", Port: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	one := []Layout{{"ring", ring}, {"twin", ring}}
	checkReport(t, outcome(one, "a b"), true, `
  keys found          layout
           2 100.0 %  ring
           2 100.0 %  twin

        keys        found  server
           2            2  server0

2 of 2 keys are where ring looks for them.
With one server, that is so with every layout.
`)
	failed := outcome(bothLayouts[:1], "a", "", "")
	failed.tallies[0].err, failed.tallies[1].err = advised(metadump.ErrTooSlow), io.ErrUnexpectedEOF
	checkReport(t, failed, false, `
        keys        found  server
           1            1  server0 (its time was over)
           0            0  server1: unexpected EOF
           0            0  server2

1 of 1 keys are where this layout looks for them.
By chance, a layout that has nothing to do with this pool finds about 0.
`)
	if failed.Complete() {
		t.Error("the servers are said to have sent their keys")
	}
	failed.tallies[1].err = nil
	if !failed.Complete() {
		t.Error("a server that was cut short is said to have failed")
	}
	checkReport(t, outcome(bothLayouts[:1], "", "", ""), true, `
        keys        found  server
           0            0  server0
           0            0  server1
           0            0  server2

`)
}

// Pools that share servers have keys there by their own layouts.
func TestOtherPools(t *testing.T) {
	t.Parallel()
	byLastLetter := Layout{"sessions", byLast{}}
	shared := Check{Layouts: bothLayouts[:1], Others: []Layout{byLastLetter}}
	last := func(server int) string { return string("cab"[server]) } // where byLast places it: 'c' is 99
	right := outcomeOf(shared, "a1b a"+last(0)+" c"+last(0), "b1a b1b c"+last(1), "c1a b"+last(2))
	checkReport(t, right, false, `
        keys        found  server
           3            2  server0
           3            2  server1
           2            1  server2

5 of 8 keys are where this layout looks for them.
By chance, a layout that has nothing to do with this pool finds about 3.
3 of the others are where pool sessions, which has servers in common with this one, looks for its keys.
`)
	if !right.Fits() {
		t.Error("keys of another pool make a misfit")
	}
	one := outcomeOf(shared, "a1b a"+last(0)+" c"+last(0)+" b1"+last(1), "", "")
	if one.Fits() || !strings.Contains(one.Report(false), "1 is elsewhere, such as\n  \"b1"+last(1)+"\": it is on server0, and looked for on server1\n") {
		t.Errorf("a key that is nobody's:\n%s", one.Report(false))
	}
	// A key of a log of the other pool, and one of its structures.
	parts := outcomeOf(Check{Layouts: bothLayouts[:1], Others: []Layout{byLastLetter}}, "a1b b"+last(0)+":7+0", "c"+last(1)+":"+testID+".0", "")
	if !parts.Fits() {
		t.Errorf("items of structures of another pool:\n%s", parts.Report(false))
	}
	// Where all may be of the other pool, that tells nothing.
	silent := outcomeOf(shared, "b"+last(0), "", "b"+last(2))
	if silent.Fits() || !strings.HasSuffix(silent.Report(false), "\n\nEach key may be of another pool, so they tell nothing of this layout.\n") {
		t.Errorf("all keys may be of another pool:\n%s", silent.Report(false))
	}
}

func checkReport(t *testing.T, r *Result, guess bool, expected string) {
	t.Helper()
	if got := r.Report(guess); got != expected[1:] {
		t.Errorf("got\n%s\nexpected\n%s", got, expected[1:])
	}
}

func TestWhenKeysWereUsed(t *testing.T) {
	t.Parallel()
	now := time.Now().Unix()
	for used, expected := range map[int64]string{0: "", now + 1000: "", now - 7200: "last used 2h0m"} {
		if got := ago(used); (got == "") != (expected == "") || !strings.Contains(got, expected) {
			t.Errorf("%d: %q, expected %q", used, got, expected)
		}
	}
}

// All servers are asked at once, each for as many keys as are wanted, and one that fails is not
// in the way of the others.
func TestRun(t *testing.T) {
	t.Parallel()
	c := Check{Layouts: bothLayouts, Sample: 2, ConnectTimeout: patience, Timeout: patience}
	for _, keys := range []string{"key=a1\nkey=a2\nkey=b1\n", "key=b1\nEND\r\n"} {
		c.Servers = append(c.Servers, serve(t, func() []string { return []string{"VERSION 1.6.18\r\n", keys} }))
	}
	c.Servers = append(c.Servers, serve(t, func() []string { return []string{"VERSION 1.6.18\r\n", "nonsense\n"} }))
	r := c.Run(t.Context())
	if best := r.ranked[0]; best.name != "first" || best.found != 3 || r.Keys() != 3 || !r.Fits() || r.Complete() {
		t.Errorf("%s found %d of %d keys; fits: %t, complete: %t", best.name, best.found, r.Keys(), r.Fits(), r.Complete())
	}
	if err := r.tallies[2].err; err == nil {
		t.Error("a server that sends nonsense is said to have sent its keys")
	}
}
