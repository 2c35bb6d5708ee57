package front

import (
	"io"
	"testing"
)

// An answer that waits for the end of the turn in which the proxy ends is sent all the same.
func TestShutSendsAnswers(t *testing.T) {
	t.Parallel()
	f := startLoop(t, "END\r\n")
	c, conn := f.client(t)
	exchange(t, conn, "mn\r\n", "MN\r\n")
	cut := -1
	f.on(func(l *Loop) {
		c.Read([]byte("version\r\n"))
		cut = l.Shut()
	})
	if answer, err := io.ReadAll(conn); err != nil || string(answer) != "VERSION 1.6.38\r\n" || cut != 0 {
		t.Errorf("answered %q, then %v; %d clients are cut off", answer, err, cut)
	}
}
