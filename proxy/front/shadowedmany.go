package front

import (
	"slices"
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/proxy/memory"
	"github.com/memverbs/memverbs/proxy/pool"
	"github.com/memverbs/memverbs/proxy/route"
	"github.com/memverbs/memverbs/proxy/shadow"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// shadowedKeys are the keys of a retrieval that shadows are asked for too, by the servers of these.
type shadowedKeys []*shadowedMany

// shadowedMany are those of one server. It is the sink of the server's reply.
type shadowedMany struct {
	upstream.InMemory

	account *memory.Account
	of      *route.Shadow
	to      *pool.Member
	keys    []shadowedKey
	words   []byte // the keys as they are stored, with a space between
	counted int    // memory of all that, in bytes, as counted in the account
	both    shadow.Both
	merged  int    // how many keys the client's reply has come to
	read    int    // how many keys the shadow's reply has come to
	rest    []byte // those of words that it has not come to
}

// shadowedKey is one of them.
type shadowedKey struct {
	index        int // among the keys of the retrieval
	main, shadow bool
}

// note notes that the pool of a key is asked for it. index is that of the key in the retrieval.
func (s *shadowedKeys) note(r *route.Table, command protocol.Command, key []byte, index int) {
	of, stored := r.ShadowOf(key)
	if of == nil || !of.Has(stored) {
		return
	}
	if u := of.Takes(command, stored, 0); u != nil {
		m := s.of(of, u)
		m.words = append(append(m.words, stored...), ' ')
		m.keys = append(m.keys, shadowedKey{index: index})
	}
}

// of returns the keys of one server.
func (s *shadowedKeys) of(of *route.Shadow, u *pool.Member) *shadowedMany {
	i := slices.IndexFunc(*s, func(m *shadowedMany) bool { return m.of == of && m.to == u })
	if i < 0 {
		i = len(*s)
		*s = append(*s, &shadowedMany{of: of, to: u})
	}
	return (*s)[i]
}

// ask asks the shadows. That comes after all else is asked, since a shadow may be the pool of other keys of the retrieval.
func (s shadowedKeys) ask(req *protocol.Request, account *memory.Account) {
	for _, m := range s {
		m.words = m.words[:len(m.words)-1]
		m.rest, m.account = m.words, account
		m.counted = cap(m.words) + cap(m.keys)*shadowedKeySize
		account.Take(m.counted)
		var same protocol.Request
		same.SetRetrieval(req.Command, m.words, len(m.keys), true)
		same.Exptime = req.Exptime
		m.to.First.Request(&same, &upstream.Pending{Sink: m, Lane: &m.to.Shadowed, Command: req.Command, Keys: uint16(len(m.keys)), Loss: upstream.LossUnnoticed})
	}
}

const shadowedKeySize = int(unsafe.Sizeof(shadowedKey{}))

// tell notes whether the client gets a value for the key with an index.
func (s shadowedKeys) tell(index int, found bool) {
	for _, m := range s {
		if m.merged < len(m.keys) && m.keys[m.merged].index == index {
			m.keys[m.merged].main = found
			m.merged++
		}
	}
}

// end is called when the client has got its reply, which may be an error.
func (s *shadowedKeys) end() {
	for _, m := range *s {
		m.both.Main = shadow.Failed
		if m.merged == len(m.keys) {
			m.both.Main = shadow.Hit
		}
		m.compare()
	}
	*s = nil
}

// Answered implements [upstream.Sink].
func (m *shadowedMany) Answered(p *upstream.Pending, a *upstream.Answer) {
	m.both.Shadow = shadow.Hit
	if m.of.Answered(p, a); a.IsError() {
		m.both.Shadow = shadow.Failed
	} else {
		m.reads(a.Data)
	}
	m.compare()
}

// reads reads values of the shadow's reply, in which misses are left out.
func (m *shadowedMany) reads(values []byte) {
	for ; m.read < len(m.keys) && len(values) > 0; m.read++ {
		var key []byte
		key, m.rest = protocol.NextWord(m.rest)
		n := protocol.CutValue(values, key)
		m.keys[m.read].shadow = n > 0
		values = values[n:]
	}
}

// compare compares what both pools have found, when both have answered.
func (m *shadowedMany) compare() {
	if !m.both.Complete() {
		return
	}
	if m.both.Main != shadow.Failed && m.both.Shadow != shadow.Failed {
		for _, key := range m.keys {
			m.of.Compare(shadow.Both{Main: shadow.Found(key.main), Shadow: shadow.Found(key.shadow)})
		}
	}
	m.account.Free(m.counted)
}

// Streams implements [upstream.Streamer]. Only whole values are taken, since their keys are wanted.
func (m *shadowedMany) Streams(_ *upstream.Pending, pieces bool) bool { return !pieces }

// Take implements [upstream.Streamer].
func (m *shadowedMany) Take(_ *upstream.Pending, values []byte) { m.reads(values) }
