package harness

import "testing"

// toxiproxy's removing of toxics may wait for ever while it holds a lock, which the test does in its place.
func TestLinkIsMendedWhateverToxiproxyWaitsFor(t *testing.T) {
	t.Parallel()
	l := StartLink(t, StartMemcached(t, Versions[0]).Addr)
	Dial(t, l.Addr).Ask("mn\r\n", "MN\r\n")
	l.Add(t, Toxic{Type: "timeout", Stream: "upstream", Toxicity: 1, Attributes: map[string]any{"timeout": 0}}) // nothing passes
	stuck := l.proxy.Toxics
	stuck.Lock()
	t.Cleanup(stuck.Unlock)
	accepted := Dial(t, l.Addr) // toxiproxy waits for the lock with it
	accepted.Send("mn\r\n")
	l.Mend(t)
	Dial(t, l.Addr).Ask("mn\r\n", "MN\r\n")
	l.Cut()
	l.Join(t)
	Dial(t, l.Addr).Ask("mn\r\n", "MN\r\n")
}
