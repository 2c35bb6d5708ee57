package verbs

import "github.com/memverbs/memverbs/protocol"

// Verb is a command that memcached lacks, with all its properties. Code that treats
// verbs differently checks these properties, never a verb's name.
type Verb struct {
	protocol.Verb

	// Keys says that the words are keys, the first of them the request's key, and that
	// the verb uses all of these structures.
	Keys bool

	// Reads says that the verb reads its structures as a whole, rather than only
	// appending. ReadOnly says that it changes no item.
	Reads, ReadOnly bool

	// Whole says that the answer may be as large as all the data of the structure.
	Whole bool

	// NamedParts says that the keys of the structure's items are documented (its own
	// key, a colon and more), so that clients may use them in plain commands.
	NamedParts bool

	// Local says that the verb asks no upstream.
	Local bool

	// Tokens returns the most bytes that the verb appends for Words of the given length
	// in bytes. It is nil for a verb that does more than append.
	Tokens func(words int) int

	// Carry says how ordinary commands carry the verb; nil if they can't.
	Carry *Carry

	// Run carries the verb out.
	Run func(*Call)
	// Direct returns the single append that is usually all the call does, and false if
	// the call certainly needs more. It may be nil.
	Direct func(*Call) (Op, bool)
	// After returns the work that remains once that append has happened and the client
	// has its answer, nil if there is none.
	After func(*Call) func(*Call)
}

// Carry says how an ordinary command carries a verb: the command's key is a prefix, the
// verb's name, a slash and the verb's key.
type Carry struct {
	// Value says what the value of the command is for the verb. With [NoValue] the
	// command is a retrieval, otherwise a storage command.
	Value Value
	// Shape shows people what follows the name and its slash in the key:
	// "<key>/<word>".
	Shape string
	// Words is how many parts at the end of the key, separated by slashes, are words of
	// the verb.
	Words int
	// Times is how many more parts at the end are words if they are numbers.
	Times int
	// Listed says that the answer has any number of values, not one.
	Listed bool
}

// Value says what the value of a command that carries a verb is for the verb.
type Value uint8

// The verb takes no value, or the value is its words separated by white space, or its
// data.
const (
	NoValue Value = iota
	WordsValue
	DataValue
)
