package pool

// Waiting returns how many clients, verbs and polls wait for the first connection.
// Tests use it.
func (m *Member) Waiting() int { return m.first.Len() + len(m.early) }

// WaitingNewcomers returns how many clients wait whose values may have any size. Tests use it.
func (m *Member) WaitingNewcomers() int { return m.newcomers.Len() }

// MostNewcomers returns how many values of unknown size may be outstanding for an upstream if each
// is expected to have size bytes. Tests use it.
func MostNewcomers(size int) int { return newcomersBudget / size }
