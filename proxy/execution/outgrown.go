package execution

// outgrown has the items of event logs that a loop has found to be long, see
// [verbs.Env.NoteOutgrown]. It is only a hint: if a long item is not in it, the next append finds
// that the item is long.
type outgrown map[string]bool

// maxOutgrown is how many items a loop remembers at most. When it is full, all are
// forgotten, since items of past chunks are no longer of use.
const maxOutgrown = 1024

func (o outgrown) has(key []byte) bool { return o[string(key)] }

func (o *outgrown) note(key []byte) {
	if *o == nil || len(*o) >= maxOutgrown {
		*o = outgrown{}
	}
	(*o)[string(key)] = true
}
