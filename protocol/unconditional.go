package protocol

// Unconditional returns r as it is carried out whatever the CAS of the item is: a cas becomes a set, and a meta command
// loses its flag C. The copy is valid as long as r is.
func (r *Request) Unconditional() Request {
	u := *r
	switch {
	case r.Command == Cas:
		u.Command = Set
	case r.seen.has('C'):
		u.flags = nil
		for flag := range r.MetaFlags() {
			if flag[0] != 'C' {
				u.flags = append(append(u.flags, ' '), flag...)
			}
		}
	}
	return u
}
