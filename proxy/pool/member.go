package pool

import (
	"github.com/memverbs/memverbs/proxy/admission"
	"github.com/memverbs/memverbs/proxy/upstream"
)

// Member is an upstream, and the clients, verbs and polls that wait for it.
type Member struct {
	upstream.Upstream
	Verbs Slots
	// Shadowed counts the requests in flight for which nobody waits, since the server is one of a shadow pool.
	Shadowed upstream.Lane

	newcomers newcomers
	first     connectionQueue
	second    connectionQueue
	early     []func()
	retired   bool
}

func newMember(env *upstream.Env, remote *upstream.Remote, queues *admission.Queues) *Member {
	m := &Member{}
	m.Init(env, remote, m)
	m.Shadowed.Owner = m
	m.newcomers.init(m, queues)
	m.first.init(m, &m.First, queues)
	m.second.init(m, &m.Bulk.Connection, queues)
	m.Verbs.Init(queues, &m.Verbs)
	return m
}

// Admits reports whether w can send a request now, on the second connection if bulk is
// true and there is one. If not, w waits. If the upstream is down, w need not wait: the
// request will be refused.
func (m *Member) Admits(w *admission.Waiter, bulk bool) bool {
	if m.Tried && m.State != upstream.Up {
		return true
	}
	if w.Unsized > 0 && !m.newcomers.Admits(w) {
		return false
	}
	if m.Connection(bulk) == m.second.connection {
		return m.second.Admits(w)
	}
	return m.first.Admits(w)
}

// Retire says that no client uses m any more. Those that wait for it are woken, and go to
// the upstream that owns their keys now.
func (m *Member) Retire() { m.retired, m.Verbs.retired = true, true }

// Retired reports whether no client uses m any more.
func (m *Member) Retired() bool { return m.retired }

// LaneFree implements [upstream.LaneOwner].
func (m *Member) LaneFree() {}

// WhenTried calls then when the first attempt to connect has ended: at once if it has
// already.
func (m *Member) WhenTried(then func()) {
	if m.Tried {
		then()
		return
	}
	m.early = append(m.early, then)
}

// WasTried implements [upstream.Owner].
func (m *Member) WasTried() {
	early := m.early
	m.early = nil
	for _, then := range early {
		then()
	}
}
