package namespace

import "bytes"

// Spaces are the namespaces of a server that an event loop knows.
type Spaces struct {
	list    map[string]*Space
	random  func() uint64
	learned *uint64
}

// mostSpaces is how many namespaces an event loop remembers of a server. Those that nobody waits for are forgotten beyond that.
const mostSpaces = 8 << 10

// NewSpaces returns the namespaces of a server, none of which is known. random returns random bits. learned counts how often a
// generation was learned, on all servers: a client has commands under way only that were sent at one count, so that none that
// is repeated takes effect after a later one.
func NewSpaces(random func() uint64, learned *uint64) *Spaces {
	return &Spaces{list: map[string]*Space{}, random: random, learned: learned}
}

// Of returns the namespace with a text.
func (all *Spaces) Of(text []byte) *Space {
	s := all.list[string(text)]
	if s == nil {
		if len(all.list) >= mostSpaces {
			all.forget()
		}
		s = &Space{Text: bytes.Clone(text), spaces: all}
		all.list[string(s.Text)] = s
	}
	return s
}

// forget forgets all namespaces that nobody waits for.
func (all *Spaces) forget() {
	for text, s := range all.list {
		if s.state == known || s.state == unknown {
			delete(all.list, text)
		}
	}
}
