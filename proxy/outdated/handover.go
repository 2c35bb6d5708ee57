package outdated

import (
	"bufio"
	"encoding/gob"
	"io"
	"time"
)

// A process hands what is outdated over to its successor: everything so far before the successor uses
// any server, and, because it goes on serving its clients, the rest when it ends.

// HandOver writes everything to a successor, and begins to collect what is added for HandRest. It
// returns how many records it wrote.
func (m *Memory) HandOver(to io.Writer) (n int, err error) {
	records := m.all()
	return len(records), write(to, append(records, Record{}))
}

// all returns everything that is outdated, and begins to collect what is added from now on.
func (m *Memory) all() (list []Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heir = &heir{unknown: map[string]uint64{}}
	now := time.Now()
	for _, k := range m.servers {
		for key, pool := range k.entries {
			list = append(list, Record{Server: k.server, Key: key, Pool: pool})
		}
		for b := range k.deleted {
			for i, key := range b.Keys {
				list = append(list, Record{Server: k.server, Key: key, Pool: b.Pools[i]})
			}
		}
		if at := k.flushes.next(now); !at.IsZero() {
			list = append(list, Record{Server: k.server, Flush: at})
		}
		if k.unknown > 0 {
			list = append(list, Record{Server: k.server, Unknown: k.unknown})
		}
	}
	return list
}

// HandRest writes what was added since HandOver.
func (m *Memory) HandRest(to io.Writer) (n int, err error) {
	m.mu.Lock()
	h := m.heir
	m.heir = nil
	m.mu.Unlock()
	if h == nil {
		return 0, nil
	}
	for server, n := range h.unknown {
		h.later = append(h.later, Record{Server: server, Unknown: n})
	}
	return len(h.later), write(to, h.later)
}

// Disown is called when there is no successor after all.
func (m *Memory) Disown() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.heir = nil
}

// write writes records, as a stream of its own.
func write(to io.Writer, list []Record) error {
	encoder := gob.NewEncoder(to)
	for _, r := range list {
		if err := encoder.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// Inherit adds what HandOver has written or, if rest is true, what HandRest has written, up to the end of
// the stream. Both must be read from the same reader. It returns how many records there were.
func (m *Memory) Inherit(from *bufio.Reader, rest bool) (n int, err error) {
	decoder := gob.NewDecoder(from)
	for {
		var r Record
		err := decoder.Decode(&r)
		switch {
		case err == io.EOF && rest:
			return n, nil
		case err != nil:
			return n, err
		case r.Server == "":
			m.mu.Lock()
			m.known = true
			m.mu.Unlock()
			return n, nil
		}
		m.add(r)
		n++
	}
}

// add adds what a record says.
func (m *Memory) add(r Record) {
	k := m.Of(r.Server)
	switch {
	case r.Key != "":
		k.Add([]byte(r.Key), r.Pool)
	case !r.Flush.IsZero():
		k.Flush(r.Flush)
	default:
		m.mu.Lock()
		defer m.mu.Unlock()
		k.unknown += r.Unknown
		k.counts.Forgotten += r.Unknown
	}
}
