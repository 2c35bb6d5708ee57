package rankings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// A foreign client may write as many increments or scores into one token as fit. Others don't wait
// while it is folded and written.
func TestLongTokensPause(t *testing.T) {
	const parts = 10 * verbs.SliceTokens
	var increments strings.Builder
	for i := range parts {
		fmt.Fprintf(&increments, ";1@%d", format.LatestUntil-i)
	}
	scores := "z<caller-a--------.1.7." + strings.Repeat("1;", parts) + "1 "
	for _, token := range []string{"z~" + increments.String()[1:] + ":m ", scores} {
		var r Ranking
		pauses := 0
		pace := &verbs.Pace{Slice: verbs.SliceTokens, Pause: func() { pauses++ }}
		if !r.Read(pace, []byte(token), 0) || pauses < 5 {
			t.Errorf("%.40q was read with %d pauses", token, pauses)
		}
		if n := len(r.increments) + len(r.answers()); n == 0 {
			t.Errorf("%.40q had no effect", token)
		}
		pauses = 0
		if log := r.AppendLog(pace, nil); token == scores && pauses == 0 { // else it is written on another goroutine
			t.Errorf("%.40q was written, as %d bytes, without a pause", token, len(log))
		}
	}
}

// A token with many increments for each of several members takes a pause for each.
func TestLongTokensOfSeveralMembersPause(t *testing.T) {
	const members = 8
	var log strings.Builder
	for m := range members {
		fmt.Fprintf(&log, "z~1@%d", format.LatestUntil)
		for i := range manyIncrements {
			fmt.Fprintf(&log, ";1@%d", format.LatestUntil-1-i)
		}
		fmt.Fprintf(&log, ":m%d ", m)
	}
	var r Ranking
	read(t, &r, log.String(), 0)
	pauses := 0
	r.AppendNet(&verbs.Pace{Slice: verbs.SliceTokens, Pause: func() { pauses++ }}, nil)
	if pauses < members-1 {
		t.Errorf("%d pauses for %d members", pauses, members)
	}
}

// Nor do others wait while a ranking is written whose members have as many increments as usual.
func TestManyIncrementsPause(t *testing.T) {
	const members, each = 5000, 84
	var log strings.Builder
	for m := range members {
		log.WriteString("z~")
		for i := range each {
			fmt.Fprintf(&log, "1@%d;", format.LatestUntil-1024*i)
		}
		fmt.Fprintf(&log, "1@%d:m%d ", format.LatestUntil-1, m)
	}
	var r Ranking
	read(t, &r, log.String(), 0)
	for name, write := range map[string]func(*verbs.Pace, []byte) []byte{"AppendLog": r.AppendLog, "AppendNet": r.AppendNet} {
		pauses := 0
		write(&verbs.Pace{Slice: verbs.SliceTokens, Pause: func() { pauses++ }}, nil)
		if most := members * (each + 1) / verbs.SliceTokens; pauses < most {
			t.Errorf("%s: %d pauses, expected %d at least", name, pauses, most)
		}
	}
}
