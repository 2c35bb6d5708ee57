package outdated

import "sync"

// The limits of a process: of the number of keys, and of the memory they take, in bytes.
const (
	maxKeys  = 100_000
	maxBytes = 16 << 20
)

// keySize is what a key takes besides its bytes, in bytes.
const keySize = 64

// Memory is what is outdated on all servers. It is safe for concurrent use.
type Memory struct {
	mu      sync.Mutex
	servers map[string]*Keys
	keys    int // of all servers, those in batches included
	bytes   int // that they take
	heir    *heir
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
		k = &Keys{memory: m, server: server, entries: map[string]string{}}
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

// reserve takes the room of a key. It returns false if there is none.
func (m *Memory) reserve(key string) bool {
	if m.keys >= maxKeys || m.bytes+len(key)+keySize > maxBytes {
		return false
	}
	m.keys++
	m.bytes += len(key) + keySize
	return true
}

// release gives the room of a key back.
func (m *Memory) release(key string) {
	m.keys--
	m.bytes -= len(key) + keySize
}
