package pool

import (
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Member is an upstream, and what waits until it can be asked for something.
type Member struct {
	upstream.Upstream
	Verbs Slots

	pool   *Pool
	first  connectionQueue
	second connectionQueue
	early  []func()
}

func newMember(p *Pool, env *upstream.Env, servers *upstream.Servers, index int, queues *admission.Queues) *Member {
	m := &Member{pool: p}
	m.Init(env, servers, index, m)
	m.first.init(m, &m.First, queues)
	m.second.init(m, &m.Bulk.Connection, queues)
	m.Verbs.Init(queues, &m.Verbs)
	return m
}

// Admits reports whether w can ask for something now, on the second connection if bulk is
// true and there is one. If not, w waits. An upstream that is down refuses at once.
func (m *Member) Admits(w *admission.Waiter, bulk bool) bool {
	if m.Tried && m.State != upstream.Up {
		return true
	}
	if m.Connection(bulk) == m.second.at {
		return m.second.Admits(w)
	}
	return m.first.Admits(w)
}

// Waiting returns how many wait for the first connection.
func (m *Member) Waiting() int { return m.first.Len() + len(m.early) }

// WhenTried has then called when the first attempt to connect has ended: at once if it has.
func (m *Member) WhenTried(then func()) {
	if m.Tried {
		then()
		return
	}
	m.early = append(m.early, then)
}

// WasTried implements [upstream.Owner].
func (m *Member) WasTried() {
	m.pool.untried--
	early := m.early
	m.early = nil
	for _, then := range early {
		then()
	}
}
