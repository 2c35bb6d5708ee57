package proxy

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/front"
)

// A refusal that had to wait names the key that its own client sent, whatever others have
// sent meanwhile.
func TestRefusalThatWaitedNamesItsOwnKey(t *testing.T) {
	outcome := make(chan error, 1)
	s := newServer(1, lateUpstream(t, "late", outcome))
	s.shared.Config.Listeners[0].VerbKeys, s.shared.Config.Pools[0].ConnectTimeout = "verb/", 20*time.Second
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	conn, other := dialServer(t, s), dialServer(t, s)
	ask(t, conn, "gat 0 verb/scard/own\r\n")
	awaitWaiting(t, s, 0, 1)
	ask(t, other, "set k 0 0 40\r\n"+strings.Repeat("secret..", 5)+"\r\n")
	awaitWaiting(t, s, 0, 2)
	outcome <- nil
	exchange(t, conn, "", "CLIENT_ERROR verb/scard/own names a verb, not an item: only get, gets, mg, set, add, ms, incr, decr, ma, delete, md and touch can carry one; scard is carried by get\r\n")
	exchange(t, other, "", "STORED\r\n")
}

// A verb that a command carries returns exactly the buffers it took, whether or not its
// reply is silenced, and however long its form is.
func TestNothingIsLeftOfCarriedVerbs(t *testing.T) {
	s := newServer(1, cannedUpstream(t, []byte("EN\r\n")))
	s.shared.Config.Listeners[0].VerbKeys = "verb/"
	start(t, s)
	conn := dialServer(t, s)
	long := "verb/scard/" + strings.Repeat("k", 230)
	for i, talk := range []struct{ request, reply string }{
		{"mg verb/scard/k v q\r\n", ""},
		{"mg " + long + " v k O" + strings.Repeat("o", 31) + "\r\n", "EN k" + long + " O" + strings.Repeat("o", 31) + "\r\n"},
		{"get verb/smembers/k verb/scard/k " + long + "\r\n", "END\r\n"},
		{"gat 0 k verb/scard/k\r\n", "CLIENT_ERROR verb/scard/k names a verb, not an item: only get, gets, mg, set, add, ms, incr, decr, ma, delete, md and touch can carry one; scard is carried by get\r\n"},
	} {
		const n = 500
		requests, replies := strings.Repeat(talk.request, n), strings.Repeat(talk.reply, n)
		sent := make(chan error, 1)
		go func() {
			_, err := io.WriteString(conn, requests)
			sent <- err
		}()
		exchange(t, conn, "", replies)
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
		await(t, "all to be done and all buffers to be given back", func() bool {
			done, left := 0, 0
			onLoops(s, func(l *front.Loop) {
				done += int(l.Pools.Current[0].Stats.Commands[protocol.MetaGet] + l.Pools.Current[0].Stats.Commands[protocol.Get] + l.Pools.Current[0].Stats.Commands[protocol.Gat])
				for c := range l.Clients.All {
					left += c.Busy()
				}
			})
			_, buffers := heldBy(s)
			return done == n*(i+1) && left == 0 && buffers == 0
		})
	}
}
