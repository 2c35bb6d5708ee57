package proxy

import (
	"log/slog"
	"testing"
)

// The configuration is told of the first long work that is done beside the loops, before that
// begins, and never again.
func TestFirstWorkBesideTheLoopsIsTold(t *testing.T) {
	told := 0
	s := New(Config{WorksBeside: func() { told++ }}, slog.New(slog.DiscardHandler))
	if told != 0 {
		t.Fatal("told before there was any work")
	}
	for range 2 {
		before, ended := 0, make(chan struct{})
		s.elsewhere(func() { before = told }, func() { close(ended) })
		<-ended
		if before != 1 || told != 1 {
			t.Errorf("told %d times before the work and %d times after it, expected once", before, told)
		}
	}
}
