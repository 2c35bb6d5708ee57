package protocol

// Changes reports whether r, which is not a verb, may change an item. Touching is a change, and so
// is what a mg does to an item that is missing or about to expire.
func (r *Request) Changes() bool {
	switch r.Command {
	case MetaGet:
		return r.HasFlag('N') || r.HasFlag('R') || r.HasFlag('T') || r.HasFlag('E')
	case FlushAll:
		return true
	}
	return len(r.Key) > 0 && !r.Command.ReadOnly()
}

// Overwrites reports whether r replaces or deletes the item under its key as a whole, so that a copy of
// the old item elsewhere is outdated afterwards. Commands that change only a part of the item, or its
// time to live, don't.
func (r *Request) Overwrites() bool {
	switch r.Command {
	case Set, Replace, Cas, Delete, MetaDelete:
		return true
	case MetaSet:
		return r.Mode == 0 || r.Mode == 'S' || r.Mode == 's' || r.Mode == 'R' || r.Mode == 'r'
	}
	return false
}
