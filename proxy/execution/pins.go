package execution

import "github.com/memverbs/memverbs/proxy/pool"

// pins are the structures that running verbs use at a former place, by their keys as clients have them.
type pins map[string]*pin

// pin is the upstream at which a structure has remained, and how many verbs use it there.
type pin struct {
	at   *pool.Member
	uses int
}

// of returns the upstream at which the structure of key is used, nil if it is where the pool says.
func (p pins) of(key []byte) *pool.Member {
	if len(p) == 0 {
		return nil
	}
	if known := p[string(key)]; known != nil {
		return known.at
	}
	return nil
}

// hold counts a verb that uses the structure of key at an upstream. Those that use it already decide where it is.
func (p *pins) hold(key []byte, at *pool.Member) {
	if *p == nil {
		*p = pins{}
	}
	known := (*p)[string(key)]
	if known == nil {
		known = &pin{at: at}
		(*p)[string(key)] = known
	}
	known.uses++
}

// release is called when such a verb has ended.
func (p pins) release(key []byte) {
	known := p[string(key)]
	if known.uses--; known.uses == 0 {
		delete(p, string(key))
	}
}
