package outdated

// Memory is what is outdated on all servers. It is safe for concurrent use.
type Memory struct {
	ledger
	servers map[string]*Keys
	known   bool // a predecessor has handed on what was outdated
}

// New returns an empty memory.
func New() *Memory { return &Memory{servers: map[string]*Keys{}} }

// Of returns the keys of a server, by a name that is the same in all pools.
func (m *Memory) Of(server string) *Keys {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.servers[server]
	if k == nil {
		k = &Keys{ledger: &m.ledger, server: server, entries: map[string]string{}}
		m.servers[server] = k
	}
	return k
}

// Inherited reports whether a predecessor has handed on what was outdated before this process.
func (m *Memory) Inherited() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known
}

// Drop forgets the keys of a server that no pool has any more.
func (m *Memory) Drop(server string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.servers[server]; k != nil {
		for key := range k.entries {
			k.remove(key)
		}
		k.flushes = flushes{}
	}
}
