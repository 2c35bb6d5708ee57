package execution

import "github.com/memverbs/memverbs/proxy/pool"

// pins are the structures that running verbs use at a former place, by their keys as clients have them.
type pins map[string]*pin

// pin is the upstream at which a structure has remained, and how many verbs use it there.
type pin struct {
	at      *pool.Member
	uses    int
	waiting []func() // called when no verb uses it there any more
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

// await has then called when the verbs have ended that use the structure of key at a former place, and returns true; or it returns
// false if there are none, or they use it where a verb has found it as well. Verbs of one event loop on one structure may act for
// one another, so those that use it at different places follow one another. As one waits, so do all that come later, or those
// before would never end.
func (p pins) await(key []byte, found *pool.Member, then func()) bool {
	known := p[string(key)]
	if known == nil || known.at == found && len(known.waiting) == 0 {
		return false
	}
	known.waiting = append(known.waiting, then)
	return true
}

// release is called when a verb has ended that uses the structure of key.
func (p pins) release(key []byte) {
	known := p[string(key)]
	if known.uses--; known.uses > 0 {
		return
	}
	delete(p, string(key))
	for _, then := range known.waiting {
		then()
	}
}
