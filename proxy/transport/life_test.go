package transport

import (
	"testing"

	"golang.org/x/sys/unix"
)

// What follows each state of a life for each event.
func TestLife(t *testing.T) {
	t.Parallel()
	states := []life{enrolling, reading, paused, released, detached, closed}
	for name, event := range map[string]struct {
		to      func(life) life
		follows []life
	}{
		"opened":   {life.opened, []life{reading, reading, paused, released, detached, closed}},
		"paused":   {life.paused, []life{enrolling, paused, paused, released, detached, closed}},
		"resumed":  {life.resumed, []life{enrolling, reading, reading, released, detached, closed}},
		"released": {life.released, []life{enrolling, released, released, released, detached, closed}},
		"detached": {life.detached, []life{enrolling, reading, paused, detached, detached, closed}},
	} {
		for i, state := range states {
			if next := event.to(state); next != event.follows[i] {
				t.Errorf("state %d, %s: state %d follows, expected %d", state, name, next, event.follows[i])
			}
		}
	}
	for _, state := range states {
		attached := state == reading || state == paused
		open := attached || state == released || state == detached
		if state.attached() != attached || state.open() != open {
			t.Errorf("state %d: it is attached: %t, expected %t; open: %t, expected %t", state, state.attached(), attached, state.open(), open)
		}
	}
}

// Whoever ends a Conn, and whatever happens to it later, it stays closed, and nothing is written.
func TestEndedIsClosed(t *testing.T) {
	t.Parallel()
	for _, state := range []life{enrolling, released, detached, closed} {
		c, o := newPaired(t, 100)
		c.life = state
		if state == detached { // then End closes the descriptor, and the end of the test would close another's
			fd, err := unix.Dup(c.fd)
			if err != nil {
				t.Fatal(err)
			}
			c.fd = fd
		}
		c.Out.Write([]byte("reply"))
		c.Send()
		c.End()
		c.Send()
		c.SendLater()
		c.released()
		c.Pause()
		c.Resume()
		if c.loop.Flush(); c.life != closed || c.schedule != over || o.wrote != 0 || c.Attached() {
			t.Errorf("state %d: %d follows, its schedule is %d, %d bytes were written", state, c.life, c.schedule, o.wrote)
		}
	}
}
