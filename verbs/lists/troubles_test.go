package lists

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// Couchbase's manual lists the troubles of a list that is rewritten into a second item, with a
// pointer to the active one. They don't exist here. In each test a call settles or compacts a
// list, and before each of its operations in turn another proxy makes a change.

// rewriting are calls that rewrite a list, with the head that they find.
var rewriting = []struct{ name, log, request string }{
	{"settle", "l>a l>b l>c l(a ", "rpush k d"},
	{"settle more", "l>a l>b l<c l>d l>e l>f l>g l>a l>h l>i l>j ", "lrem k 1 z"},
	{"compact", "l>a l>b l-a l>a l-b l>b l>c ", "lrange k"},
	{"pop", "l>a l>b l>c l(b l>e ", "lpop k"},
}

// duringEach carries out each of rewriting once for each of its operations, before which
// another proxy sends a request. check gets the elements before and after that request, and in
// the end, from which what the call itself has pushed and popped differs.
func duringEach(t *testing.T, request string, check func(t *testing.T, before, after, end deque)) {
	for _, call := range rewriting {
		for op := 1; ; op++ {
			w, other := verbtest.NewWorld(t, theVerbs), verbtest.NewWorld(t, theVerbs)
			other.Model = w.Model
			w.Settings.StructureItemSize, other.Settings.StructureItemSize = 24, 1<<20
			w.Settings.CompactDirtiness, other.Settings.CompactDirtiness = 0, 1000
			w.Put("k", call.log, 0, 0)
			n := 0
			var before, after deque
			w.Instead = func(verbs.Op) (verbs.Reply, bool) {
				if n++; n == op {
					before = look(other)
					other.Send(request)
					after = look(other)
				}
				return verbs.Reply{}, false
			}
			w.Send(call.request)
			if n < op {
				break // the call has fewer operations
			}
			w.Instead = nil
			t.Run(fmt.Sprintf("%s, operation %d", call.name, op), func(t *testing.T) { check(t, before, after, look(w)) })
		}
	}
}

// look returns the elements of the list.
func look(w *verbtest.World) deque {
	_, rest, _ := strings.Cut(w.Send("lrange k"), "\r\n")
	values, _, _ := strings.Cut(rest, "\r\n")
	return strings.Fields(values)
}

func TestRemovedElementsDontComeBack(t *testing.T) {
	duringEach(t, "lrem k 0 c", func(t *testing.T, before, after, end deque) {
		if slices.Contains(after, "c") || slices.Contains(end, "c") {
			t.Errorf("%q became %q, and in the end %q", before, after, end)
		}
	})
}

func TestNoElementIsThereTwice(t *testing.T) {
	count := func(list deque, value string) (n int) {
		for _, other := range list {
			if other == value {
				n++
			}
		}
		return n
	}
	duringEach(t, "rpush k x", func(t *testing.T, before, after, end deque) {
		for _, value := range append(end, before...) {
			if n := count(end, value); n > max(count(after, value), 1) {
				t.Errorf("%q became %q, and in the end %q: %s is there %d times", before, after, end, value, n)
			}
		}
	})
}

func TestStragglersLoseNothing(t *testing.T) {
	duringEach(t, "rpush k x y", func(t *testing.T, before, after, end deque) {
		x := slices.Index(end, "x")
		if x < 0 || x+1 == len(end) || end[x+1] != "y" || len(end) < len(after)-1 {
			t.Errorf("%q became %q, and in the end %q", before, after, end)
		}
	})
}
