package discovery

import (
	"fmt"
	"slices"
	"time"
)

// Member is a server of the list.
type Member struct {
	Server string
	// Away is when the first of the last answers came that did not have the server; zero if the last one had it.
	Away time.Time
}

// Members is the list over time:
//
//	          an answer has it              an answer lacks it
//	(unknown) ────────────────▶ here ◀──────────────────────────▶ away ──▶ (unknown)
//	                                       an answer has it           an answer lacks it
//	                                                                  when it was away for leave
type Members struct {
	leave    time.Duration
	list     []Member // in the order of servers
	expected []string // servers that others have in their lists
}

// NewMembers returns an empty list, which a server leaves when it was away for so long.
func NewMembers(leave time.Duration) *Members { return &Members{leave: leave} }

// List returns the members.
func (m *Members) List() []Member { return slices.Clone(m.list) }

// Expect says that others have these servers in their lists. Those that the next answer lacks are away from then on.
func (m *Members) Expect(servers []string) { m.expected = servers }

// Take takes a good answer that came at a time. It reports whether the list has changed. An answer by which the list
// would become too long is refused as a whole: a source that names other servers each time would let it grow.
func (m *Members) Take(a Answer, now time.Time) (changed bool, err error) {
	var next []Member
	for _, server := range a.Servers {
		next = append(next, Member{Server: server})
	}
	for _, old := range m.before() {
		if slices.Contains(a.Servers, old.Server) {
			continue
		}
		if old.Away.IsZero() {
			old.Away = now
		}
		if now.Sub(old.Away) < m.leave {
			next = append(next, old)
		}
	}
	if len(next) > MaxServers {
		return false, fmt.Errorf("with this answer the pool would have %d servers, those counted that are not listed any more; the most that it may have is %d", len(next), MaxServers)
	}
	slices.SortFunc(next, func(a, b Member) int { return compare(a.Server, b.Server) })
	changed, m.list, m.expected = !slices.Equal(m.list, next), next, nil
	return changed, nil
}

// before returns the list before an answer, with the servers that are expected.
func (m *Members) before() []Member {
	list := m.List()
	for _, server := range m.expected {
		if !slices.ContainsFunc(list, func(known Member) bool { return known.Server == server }) {
			list = append(list, Member{Server: server})
		}
	}
	return list
}
