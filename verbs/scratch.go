package verbs

// KeptScratch is the size, in bytes, above which a routine frees a buffer before the
// next call.
const KeptScratch = 1 << 20

// keptOps is the capacity, in operations, that a routine keeps for later calls.
const keptOps = 64

// scratch is memory that one call leaves to the next.
type scratch struct {
	Ops   []Op   // operations to ask for at once
	Buf   []byte // tokens or records to write
	Name  []byte // a key
	local []Op   // the last local operation

	used    bool // the coroutine has run since the last trim
	trimmed int  // the limit of the last trim, in bytes
	keeps   int  // bytes that the call's Keeper keeps, as of the last trim
}
