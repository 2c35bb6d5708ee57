package warning

import (
	"bytes"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// However many warnings there are, a line is logged once in each pause, and tells how many others
// there were since the one before it. Those of one kind do not hold back those of another.
func TestLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(*testing.T) {
		var said bytes.Buffer
		log := slog.New(slog.NewTextHandler(&said, nil))
		var many Limited
		var other Shared
		rare := Limited{Pause: 2 * Pause}
		for i := range 2500 {
			many.Log(log, "many", "n", i)
			rare.Log(log, "rare")
			if i == 500 {
				other.Log(log, "other")
			}
			time.Sleep(Pause / 1000)
		}
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		want := []string{"msg=many n=0 more=0", "msg=rare more=0", "msg=other more=0", "msg=many n=1000 more=999", "msg=many n=2000 more=999", "msg=rare more=1999"}
		if !slices.EqualFunc(lines, want, strings.HasSuffix) {
			t.Errorf("the lines are %q", lines)
		}
	})
}

// No reason hides another, and reasons without end don't make lines without end: each warning is in one line or
// counted in one.
func TestByReason(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(*testing.T) {
		var said bytes.Buffer
		log := slog.New(slog.NewTextHandler(&said, nil))
		many := ByReason{Most: 2, Pause: time.Minute}
		for _, reason := range []string{"a", "a", "b", "a", "c", "d"} {
			many.Log(log, reason, "many", "reason", reason)
		}
		time.Sleep(time.Minute)
		for _, reason := range []string{"a", "d", "a", "b"} {
			many.Log(log, reason, "many", "reason", reason)
		}
		time.Sleep(time.Minute)
		many.Log(log, "a", "many", "reason", "a")
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		want := []string{
			"many reason=a more=0", "many reason=b more=0",
			"many others=2 reason=a more=2", "many reason=d more=0", "many others=1 reason=a more=1",
		}
		if !slices.EqualFunc(lines, want, strings.HasSuffix) {
			t.Errorf("the lines are %q", lines)
		}
		for i := range 1000 {
			many.Log(log, strconv.Itoa(i), "hostile")
		}
		if got := strings.Count(said.String(), "hostile"); got > 2 || len(many.lines) > 2 {
			t.Errorf("%d lines of %d reasons in one pause", got, len(many.lines))
		}
	})
}
