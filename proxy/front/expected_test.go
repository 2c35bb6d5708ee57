package front

import "testing"

// A quiet miss tells as much of a client's values as one that is answered: the client is no newcomer
// any more.
func TestQuietMissIsLearned(t *testing.T) {
	t.Parallel()
	f := startLoop(t, "EN\r\n")
	c, conn := f.client(t)
	exchange(t, conn, "mg k v q\r\nmn\r\n", "MN\r\n")
	f.on(func(*Loop) {
		if !c.replies.expected.seen {
			t.Error("it has learned nothing of its values")
		}
	})
}
