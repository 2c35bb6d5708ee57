package tables

import (
	"slices"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Both proxies know the table, with the rows a and b, and the index has just room for what
// it holds if it is small.
var known = [][]string{{set("k", "a", "10"), set("k", "b", "20")}, {set("k", "a", "30"), set("k", "b", "40")}}

// Both proxies know a table that is dead.
var dead = [][]string{{set("k", "a", "10"), set("k", "b", "20")}, {"hget k a", "remove k"}}

// A table lost all its rows, its index was settled and has no field since, and then the table was deleted. The second
// proxy knows it still, and the first one does not, so that it will not store anything there.
var emptied = [][]string{{set("k", "a", "10"), "hdel k a"}, {"hget k a", "settle k"}, {"remove k", "hget k a"}}

var tableRaces = []verbtest.Race{
	{Name: "two create", Options: roomy, Clients: [][]string{{set("k", "a", "1")}, {set("k", "b", "2"), "hget k a"}}},
	{Name: "create and remove", Options: roomy, Clients: [][]string{{set("k", "a", "1")}, {"remove k", "hgetall k"}}},
	{Name: "both add", Options: roomy, Clients: [][]string{{"hadd k a 0 0 1\r\n1"}, {"hadd k a 0 0 1\r\n2", "hkeys k"}}},
	{Name: "three add", Long: true, First: known, Options: roomy, OnlyNew: true, Clients: [][]string{{"hadd k c 0 0 1\r\n1"}, {"hadd k c 0 0 1\r\n2"}, {"hdel k c"}}},
	{Name: "set and delete", First: known, Options: roomy, Clients: [][]string{{set("k", "a", "1"), "hget k a"}, {"hdel k a", "hgetall k"}}},
	{Name: "count", First: known, Options: roomy, Clients: [][]string{{"hincr k a 5", "hdel k a"}, {"hincr k a 7", "hget k a"}}},
	{Name: "three count", First: known, Options: roomy, Clients: [][]string{{"hincr k a 5"}, {"hincr k a 7"}, {"hdel k a", "hget k a"}}},
	{Name: "count from", Options: roomy, Clients: [][]string{{"hincr k a 5 100"}, {"hincr k a 7 200"}}},
	{Name: "count from and delete", Long: true, First: known, Options: roomy, OnlyNew: true, Clients: [][]string{{"hincr k c 5 100"}, {"hadd k c 0 0 1\r\n7", "hdel k c"}}},
	{Name: "count from in a dead table", Long: true, First: dead, Options: roomy, Clients: [][]string{{"hincr k a 5 100"}, {"hincr k a 7 200"}}},
	{Name: "add and delete", First: known, Options: roomy, Clients: [][]string{{"hadd k a 0 0 1\r\n1", "hkeys k"}, {"hdel k a"}}},
	{Name: "make anew", First: known, Options: roomy, Clients: [][]string{{"remove k", set("k", "c", "1")}, {"hget k a", set("k", "a", "2")}}},
	{Name: "make anew and read", First: known, Options: roomy, OnlyNew: true, Clients: [][]string{{"remove k", set("k", "a", "1")}, {"hget k a", "hget k a"}}},
	{Name: "set while it is made anew", First: known, Options: roomy, Clients: [][]string{{"remove k"}, {set("k", "a", "1")}, {"hget k a"}}},
	{Name: "both know a dead table", First: dead, Options: roomy, Clients: [][]string{{set("k", "a", "1")}, {"hget k a", set("k", "b", "2")}}},
	{Name: "count in a dead table", First: dead, Options: roomy, Clients: [][]string{{set("k", "a", "1"), "hincr k a 1"}, {"hincr k a 1", "hdel k a"}}},
	{Name: "settle and set", Long: true, First: [][]string{known[0], {set("k", "c", "5"), "hdel k c"}}, Options: small, Clients: [][]string{{"settle k"}, {set("k", "c", "1"), "hkeys k"}}},
	{Name: "settle and delete", Long: true, First: known, Options: small, Clients: [][]string{{"settle k"}, {"hdel k a", "hadd k a 0 0 1\r\n1"}}},
	{Name: "settle, delete and set", First: known, Options: roomy, OnlyNew: true, Clients: [][]string{{"settle k"}, {"hdel k a"}, {set("k", "a", "1")}}},
	{Name: "both settle", Long: true, First: known, Options: small, OnlyNew: true, Clients: [][]string{{set("k", "a", "1")}, {"hdel k b"}}},
	{Name: "settle into a segment", Long: true, First: known, Options: tiny, OnlyNew: true, Clients: [][]string{{set("k", "c", "1")}, {"hdel k a"}}},
	{Name: "page and delete", First: known, Options: roomy, OnlyNew: true, Clients: [][]string{{"hkeys k 1 2", "hget k c"}, {"hdel k a", set("k", "c", "1")}}},
	{Name: "page of what is made anew", First: known, Options: roomy, OnlyNew: true, Clients: [][]string{{"hkeys k 1 1", "hgetall k 1 1"}, {"remove k", set("k", "c", "1")}}},
	{Name: "list what is made anew", First: emptied, Options: tiny, OnlyNew: true, Clients: [][]string{{set("k", "c", "1")}, {"hkeys k", "hgetall k 0 1"}}},
	{Name: "settle and make anew", First: known, Options: small, Clients: [][]string{{"settle k"}, {"remove k", set("k", "a", "1")}}},
}

func init() {
	for i := range tableRaces {
		tableRaces[i].Log = "none"
	}
}

func TestEverySchedule(t *testing.T) { verbtest.TryEach(t, &rules, verbtest.Short(tableRaces), 0) }

// The first two calls of each race, with every mishap to every single operation.
func TestEveryMishap(t *testing.T) {
	races := verbtest.Short(tableRaces)
	if !verbtest.Thorough() { // two of three clients do what others do too
		races = slices.DeleteFunc(races, func(r verbtest.Race) bool { return len(r.Clients) > 2 })
	}
	verbtest.TryEach(t, &rules, verbtest.FirstCalls(races), 1)
}
