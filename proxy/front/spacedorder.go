package front

// spaced is what a client has under way on keys in namespaces.
type spaced struct {
	all   int    // requests that are not answered
	again int    // those of them that wait for a generation, or were sent again
	at    uint64 // [Loop.learned] when the others were sent
}

// delays reports whether the next request of the client has to wait, as it could take effect before one that is sent again.
// learned counts the generations that the loop has learned.
func (s *spaced) delays(learned uint64) bool {
	return s.underWay() && (s.again > 0 || s.at != learned)
}

// underWay reports whether a request is not answered.
func (s *spaced) underWay() bool { return s != nil && s.all > 0 }
