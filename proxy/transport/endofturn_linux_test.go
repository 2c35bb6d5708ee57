package transport

import (
	"context"
	"log/slog"
	"testing"

	"github.com/panjf2000/gnet/v2"
)

// halting is the owner of a Conn that keeps the loop while it reads.
type halting struct {
	echo
	reads, goesOn chan struct{}
}

func (h *halting) Read([]byte) {
	h.reads <- struct{}{}
	<-h.goesOn
}

// A loop that waits is woken even if gnet does not do that, because it has done so before and the loop has not come to what it was
// woken for.
func TestWaitingLoopIsWoken(t *testing.T) {
	t.Parallel()
	for what, wakes := range map[string]func(*Engine){
		"a function": func(e *Engine) { posts(e.Loops[0]) },
		"a socket": func(e *Engine) {
			_, accepted := connectedTo(t)
			echo := &echo{}
			echo.conn.Init(e.Loops[0], 1<<20, echo)
			if err := e.Loops[0].Enroll(accepted, &echo.conn); err != nil {
				t.Error(err)
			}
		},
		"the end": func(*Engine) {},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			e, err := Start(1, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			l := e.Loops[0]
			l.Serve(flusher{l}, &Buffers{})
			client, accepted := connectedTo(t)
			h := &halting{reads: make(chan struct{}), goesOn: make(chan struct{})}
			h.conn.Init(l, 1<<20, h)
			if err = l.Enroll(accepted, &h.conn); err != nil {
				t.Fatal(err)
			}
			l.begins() // so that the loop goes back to gnet
			posts(l)
			if _, err = client.Write([]byte("said")); err != nil {
				t.Fatal(err)
			}
			<-h.reads
			// epoll reports this together with the end of the turn, and gnet handles the sockets first. As the loop does not know of the
			// function, it waits at the end of the turn.
			err = l.events.Execute(context.Background(), gnet.RunnableFunc(func(context.Context) error { return nil }))
			if err != nil {
				t.Fatal(err)
			}
			l.taken()
			close(h.goesOn)
			awaitOwnWait(l)
			wakes(e)
			if err = e.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
}
