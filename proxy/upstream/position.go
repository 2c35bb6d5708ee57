package upstream

// Position is an offset in the bytes written to a connection, modulo 2³².
type Position uint32

// Before reports whether p is before q.
func (p Position) Before(q Position) bool { return int32(p-q) < 0 }
