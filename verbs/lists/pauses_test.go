package lists

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// numbered returns a log that pushes n values, and an x after each of them.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "l>%d l>x ", i)
	}
	return b.String()
}

// One token may remove as many elements as there are. Others don't wait for that.
func TestRemovalsPause(t *testing.T) {
	log := numbered(verbs.SliceTokens + restsAfter)
	many := ""
	for i := range 30 {
		many += fmt.Sprintf("l~caller-a--------.%d.7.(1000 ", i)
	}
	for _, removal := range []string{"l-x ", many} {
		var l List
		elementsOf(t, &l, log)
		if l.Extend([]byte(log+removal), 0) {
			t.Errorf("%.40q was applied without a pause", removal)
		}
		pauses := 0
		pace := &verbs.Pace{Slice: verbs.SliceTokens, Pause: func() { pauses++ }}
		l.Read(pace, []byte(log), 0)
		before := pauses
		if pauses = 0; !l.Read(pace, []byte(log+removal), 0) || pauses <= before {
			t.Errorf("%.40q was read with %d pauses, and what is before it with %d", removal, pauses, before)
		}
	}
}

// Looking for a place does not pass all that was removed before it, and pauses where it passes
// much.
func TestPlacesBesideRemovedElements(t *testing.T) {
	var l List
	n := 3 * verbs.SliceTokens
	all := elementsOf(t, &l, "l>a "+strings.Repeat("l>x ", n)+"l>b l>c l-x ")
	if len(all) != 3 || len(l.right.pushed) > 6 {
		t.Errorf("%q, among %d places", all, len(l.right.pushed))
	}
	elementsOf(t, &l, numbered(n)+"l-x ") // every other one was removed
	pauses := 0
	pace := &verbs.Pace{Slice: 1000, Pause: func() { pauses++ }}
	for e := range l.elements(pace, n/2, n/2+1) {
		if e.String() != fmt.Sprint(n/2) {
			t.Errorf("%s is at place %d", e, n/2)
		}
	}
	if pauses == 0 {
		t.Error("nobody else had a turn")
	}
}

// What orders have removed is written with pauses if it is much.
func TestRememberedRemovalsPause(t *testing.T) {
	n := 3 * verbs.SliceTokens
	var l List
	if left := elementsOf(t, &l, strings.Repeat("l>x ", n)+fmt.Sprintf("l~caller-a--------.1.7.(%d ", n)); len(left) > 0 {
		t.Fatalf("%d elements are left", len(left))
	}
	pauses := 0
	log := l.AppendLog(&verbs.Pace{Slice: verbs.SliceTokens, Pause: func() { pauses++ }}, nil)
	if strings.Count(string(log), "l:x ") != n || pauses < 4 { // to see how long it is, and to write it
		t.Errorf("%d values are written with %d pauses", strings.Count(string(log), "l:x "), pauses)
	}
}
