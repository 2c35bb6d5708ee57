package execution

// outgrown is which items of event logs a loop has found to be long, see
// NoteOutgrown of [verbs.Env]. It is a hint: what it has forgotten, or another loop
// has found, is found again with the next event that is put there.
type outgrown map[string]struct{}

// maxOutgrown is how many items a loop remembers at most. As those of chunks that are
// over are of no use, all are forgotten when there are more.
const maxOutgrown = 1024

func (o outgrown) has(key []byte) bool {
	_, ok := o[string(key)]
	return ok
}

func (o *outgrown) note(key []byte) {
	if *o == nil || len(*o) >= maxOutgrown {
		*o = outgrown{}
	}
	(*o)[string(key)] = struct{}{}
}
