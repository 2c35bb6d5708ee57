package format

import "github.com/memverbs/memverbs/verbs"

// Kind is a kind of structure that is stored as a log of tokens.
type Kind struct {
	// Letter begins the tokens of the kind, before their sign, and ends its pointers.
	// It is 0 for one kind, whose tokens begin with the sign and whose pointers end
	// without a letter.
	Letter byte
	// Name is the word for one such structure in messages.
	Name string
	// New returns an empty fold.
	New func() Fold
	// Ends says that a structure is deleted when nothing is left of it, if it has a time to live.
	Ends bool
	// Complete says that no items belong to a structure but its head and the parts of its segments.
	Complete bool
	// Growth is by how many percent the log of a full structure may still grow: calls that add no
	// elements are not refused, but may make the log longer.
	Growth int
	// Memory returns the most memory, in bytes, that folding that many tokens takes.
	Memory func(tokens int) int
	// Needs returns the most memory, in bytes, that it takes to read a structure whose log has so many bytes, and to write it
	// anew. It is for kinds whose structures have to be read for anything to be removed: these count as full as long as a
	// call can still have that memory. It is nil for kinds whose removals are appended without reading.
	Needs func(bytes int) int
}

// Fold is the result of folding a log: the state of the structure after all its
// tokens, one after another. It points into the log and keeps no copy of it. A Fold can be reused for one
// log after another. Long work pauses as the [verbs.Pace] says; between pauses other
// calls may use the Fold as long as none changes it. It has to obey three laws:
//
//  1. The log that AppendLog writes folds to the same state as the log that was read.
//  2. After any other log, the log that AppendNet writes has the same effect as the log
//     that was read.
//  3. Read followed by Extend gives the same state as Read of the whole log.
//
// Tokens of other kinds, see [Foreign], have no effect and are not written.
type Fold interface {
	// Expect allocates memory for the log that is read next, which has that many tokens.
	Expect(p *verbs.Pace, tokens int)
	// Read folds log, which is shorter than 4 GB. now is in milliseconds since 1970. It
	// returns false if log contains something that is no token of any kind; then the fold
	// is empty.
	Read(p *verbs.Pace, log []byte, now int64) bool
	// Extend folds the tokens that log has in addition to the log that was read, with which it
	// begins, though perhaps in other memory. The log that was read is empty or ends in white
	// space. It returns false if log has to be read as a whole; then the fold is empty.
	Extend(log []byte, now int64) bool
	// Live returns how many members, or other elements, the structure has.
	Live() int
	// Dead returns how many tokens of the log are superfluous.
	Dead() int
	// Foreign returns how many of these are tokens of other kinds.
	Foreign() int
	// AppendLog appends to dst the shortest log of the same structure.
	AppendLog(p *verbs.Pace, dst []byte) []byte
	// AppendNet appends to dst a short log that changes any structure in the same way
	// as the log that was read.
	AppendNet(p *verbs.Pace, dst []byte) []byte
	// Trim empties the fold, and frees the memory kept for the next log if that is more
	// than keep bytes.
	Trim(keep int)
	// Kept returns how much memory the fold has, in bytes, the log not included.
	Kept() int
}

// Sized is a fold that knows the length of the log that AppendLog writes, in bytes. For other folds
// the length of the log that was read is assumed.
type Sized interface {
	Fold
	LogSize() int
}

// Timed is a fold that also depends on the time: its state may change by itself, and AppendLog and
// AppendNet may forget something after a time. [Fold.Extend] brings it up to date with the time now,
// even if the log is the one that was read; it returns false if now is before Since.
type Timed interface {
	Fold
	// Since returns the time, in milliseconds since 1970, at which something last changed by itself
	// or was forgotten; 0 for never. For an earlier time, the fold is wrong.
	Since() int64
	// Until returns the time at which the state changes next.
	Until() int64
}

// kinds are all registered kinds.
var kinds []*Kind

// Register registers kinds, so that every call can fold structures of these kinds. Call
// it before the first call runs.
func Register(some ...*Kind) { kinds = append(kinds, some...) }

// SomeKind returns one of the registered kinds.
func SomeKind() *Kind { return kinds[0] }

// KindOf returns the kind with the given letter, nil if there is none.
func KindOf(letter byte) *Kind {
	for _, k := range kinds {
		if k.Letter == letter {
			return k
		}
	}
	return nil
}

// LogOf returns the shortest log of the structure f. The log of an empty structure is
// the kind's letter, so that the structure keeps its kind.
func (k *Kind) LogOf(p *verbs.Pace, f Fold) []byte {
	log := f.AppendLog(p, nil)
	if len(log) == 0 && k.Letter != 0 {
		log = []byte{k.Letter, ' '}
	}
	return log
}
