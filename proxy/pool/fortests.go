package pool

// Waiting returns how many clients, verbs and polls wait for the first connection.
// Tests use it.
func (m *Member) Waiting() int { return m.first.Len() + len(m.early) }
