package structure

import (
	"bytes"

	"github.com/memverbs/memverbs/verbs/structure/views"
)

// Where many clients of an event loop change one structure, most of them have asked again when the loop has read all of its
// sockets. So the first of their calls does not lead at once, but waits until the end of the loop's turn, and then leads for all
// that have come. Otherwise each append of many calls would be followed by one of a single call.

// Gathers reports whether a call, or an append, that could lead now has to wait for the end of the turn of the event loop, as all
// do that come until then. That is so if the last change to the structure under key was that of several calls at once; then that
// is forgotten, so nobody waits twice without need. of is the key by which the structure is placed: nobody gathers if that is
// another one.
func Gathers(env Env, of, key []byte) bool {
	if !bytes.Equal(of, key) {
		return false
	}
	v, decisions := env.Views().Find(key), env.Decisions()
	if v == nil || !v.Joined || v.Standing != views.Decided || decisions.led(key) {
		return false
	}
	v.Joined = false
	decisions.join(key, nil)
	env.Hold(key, key, true)
	decisions.gathering = append(decisions.gathering, v.Key)
	env.AwaitEndOfTurn()
	return true
}

// EndTurn is called at the end of a turn of the event loop, see [Env.AwaitEndOfTurn]. Those that have gathered go on.
func (s *Decisions) EndTurn(env Env) {
	for _, key := range s.gathering {
		key := []byte(key)
		passOn(env, key, key, []*decision{nil})
		env.Hold(key, key, false)
	}
	s.gathering = s.gathering[:0]
}
