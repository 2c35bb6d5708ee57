package verbs

import "github.com/memverbs/memverbs/protocol"

// Verb is a command that memcached lacks, with all that there is to know of it. Whoever
// has to treat verbs differently looks here and needs no verb's name.
type Verb struct {
	protocol.Verb

	// Keys says that the words are keys, that of the request first among them, and that
	// the verb is about all of them.
	Keys bool

	// Reads says that the verb reads all of the items that it is about, and does not
	// only append to them. ReadOnly says that it leaves every item as it is.
	Reads, ReadOnly bool

	// Whole says that the answer may be as large as all that there is under the key.
	Whole bool

	// NamedParts says that people know the keys of the items that the structure is made
	// of (its own key, a colon and more) and may use them in plain commands.
	NamedParts bool

	// Local says that no upstream is asked.
	Local bool

	// Tokens returns the greatest length of what the verb appends for words of a length,
	// both in bytes. It is nil for a verb that does more than append.
	Tokens func(words int) int

	// Carry is how ordinary commands carry the verb, nil if none can.
	Carry *Carry

	// Run carries the verb out.
	Run func(*Call)
	// Direct returns the append that the call is likely to be done with, and false if
	// there is more to it from the start. It may be nil.
	Direct func(*Call) (Op, bool)
	// After returns what there is to be done once that append has happened and the client
	// has its answer, nil if there is nothing.
	After func(*Call) func(*Call)
}

// Carry is how an ordinary command carries a verb: one whose key is a prefix, the verb's
// name, and the key that the verb is about, with a slash between.
type Carry struct {
	// Value says that a command that stores carries it, with what the verb needs as its
	// value; otherwise one that reads does.
	Value Value
	// Shape is what follows the name in the key, for people: "<key>/<word>".
	Shape string
	// Words is how many last parts of the key are not of the verb's key, but its words.
	Words int
	// Times is how many more last parts are words if they are numbers.
	Times int
	// Listed says that the answer is any number of values, not one.
	Listed bool
}

// Value is what the value of a command that carries a verb is.
type Value uint8

// A verb is carried without a value, or the value is the verb's words, with white space
// between, or its data.
const (
	NoValue Value = iota
	WordsValue
	DataValue
)
