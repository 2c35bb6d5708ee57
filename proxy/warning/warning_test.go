package warning

import (
	"bytes"
	"log/slog"
	"slices"
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
