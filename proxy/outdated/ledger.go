package outdated

import "sync"

// ledger is what all servers share: the room for keys, and the successor that is told of them.
type ledger struct {
	mu    sync.Mutex // held for whatever is remembered of all servers
	keys  int        // of all servers, those in batches included
	bytes int        // that they take
	heir  *heir
}

// reserve takes the room of a key. It returns false if there is none.
func (l *ledger) reserve(key string) bool {
	if l.keys >= maxKeys || l.bytes+len(key)+keySize > maxBytes {
		return false
	}
	l.keys++
	l.bytes += len(key) + keySize
	return true
}

// release gives the room of a key back.
func (l *ledger) release(key string) {
	l.keys--
	l.bytes -= len(key) + keySize
}
