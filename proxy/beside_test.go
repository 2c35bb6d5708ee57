package proxy

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memverbs/memverbs/proxy/config"
)

// The configuration is told of the first long work that is done beside the loops, before that
// begins, and never again.
func TestFirstWorkBesideTheLoopsIsTold(t *testing.T) {
	told := 0
	s := New(config.Config{WorksBeside: func() { told++ }}, slog.New(slog.DiscardHandler))
	if told != 0 {
		t.Fatal("told before there was any work")
	}
	for range 2 {
		before, ended := 0, make(chan struct{})
		s.shared.Elsewhere(func() { before = told }, func() { close(ended) })
		<-ended
		if before != 1 || told != 1 {
			t.Errorf("told %d times before the work and %d times after it, expected once", before, told)
		}
	}
}

// The configuration is told of the first verb, before that begins, and not of plain commands or of more verbs.
func TestFirstVerbIsTold(t *testing.T) {
	var told atomic.Int32
	s := newServer(1, cannedUpstream(t, []byte("END\r\n")))
	s.shared.FirstVerb = sync.OnceFunc(func() { told.Add(1) })
	conn := dialServer(t, start(t, s))
	for _, step := range []struct {
		request, reply string
		told           int32
	}{
		{"get k\r\n", "END\r\n", 0},
		{"scard k\r\n", "SERVER_ERROR", 1}, // that is no answer to a meta command
	} {
		exchange(t, conn, step.request, step.reply)
		if got := told.Load(); got != step.told {
			t.Errorf("after %q it was told %d times, expected %d", step.request, got, step.told)
		}
	}
}
