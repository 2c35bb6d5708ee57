package verbs

import "github.com/memverbs/memverbs/protocol"

// Verb is a command that memcached lacks, with all its properties. Code that treats
// verbs differently checks these properties, never a verb's name.
type Verb struct {
	protocol.Verb

	// Does tells people in a few words what the verb does. The verb is the subject of the sentence.
	Does string

	// Keys says that the words are keys, the first of them the request's key, and that
	// the verb uses all of these structures.
	Keys bool

	// Reads says that the verb reads its structures as a whole, rather than only
	// appending. ReadOnly says that it changes no item.
	Reads, ReadOnly bool

	// Ordered says that a call of the verb, if it is answered, takes effect after those on the same
	// structure that were InTurn before on the event loop, see [Call]. So a client's later call
	// need not wait for its earlier one. It holds for a verb that decides on one structure, once.
	Ordered bool

	// Removes says that the verb removes what it answers with, so that this is lost if the client does
	// not get it.
	Removes bool

	// Whole says that the answer may be as large as all the data of the structure.
	Whole bool

	// NamedParts says that the keys of the structure's items are documented (its own
	// key, a colon and more), so that clients may use them in plain commands.
	NamedParts bool

	// Local says that the verb asks no upstream.
	Local bool

	// Tokens returns the most bytes that the verb appends for the words of a request. It is nil
	// for a verb that does more than append.
	Tokens func(words []byte) int
	// Multiplies says that few words may come to many tokens, so that memory for these is
	// reserved before a call begins.
	Multiplies bool

	// Carry says how ordinary commands carry the verb; nil if they can't.
	Carry *Carry

	// Run begins a call and returns its first step, see [Coroutine] for one that has no others.
	Run func(*Call) Step
}

// Carry says how an ordinary command carries a verb: the command's key is a prefix, the
// verb's name, a slash, the verb's key, and then words of the verb, with slashes between.
// The words in the key come first, then those of the command's value, then its exptime.
// A verb that takes data has its flags, its exptime or a time, and the length of the data
// instead, and one that counts has the number.
type Carry struct {
	// By is the command: Get, Set, Add, Delete, Touch, Incr or Decr. Its variants and its meta form
	// carry the verb too. The reply has the form of that command, see package verbkeys. A
	// verb that is not carried by Get takes the option noreply.
	By protocol.Command
	// Value says what the value of a Set or Add is for the verb.
	Value Value
	// Shape shows people what follows the name and its slash in the key:
	// "<key>/<word>".
	Shape string
	// Words is how many parts at the end of the key, separated by slashes, are words of
	// the verb.
	Words int
	// Option is a word of the verb that may be one more part at the end; empty if there is
	// none.
	Option string
	// Times is how many more parts at the end are words if they are numbers.
	Times int
	// Before is the part that has to precede these, and then all of them have to be there: without it
	// they belong to the verb's key. Empty if they need none.
	Before string
	// Exptime says that the exptime of the command is a number that the verb's line has: what
	// follows the flags, or its last word, which is in seconds from now. If not, that of a Set or Add
	// is only given to an item that the verb creates.
	Exptime bool
	// Time says that the verb's line has a time after the flags. It gets 0, for now.
	Time bool
	// Down says that a verb carried by Incr is carried by Decr too, with the number negated.
	Down bool
	// Initial says that the initial value that an Incr or Decr gives, in its meta form or in the binary
	// protocol, is the last word of the verb's line. Without it, an initial value is ignored.
	Initial bool
	// NumberFirst says that the number of an Incr or Decr comes before the words in the key.
	NumberFirst bool
	// Listed says that the answer has any number of values, not one, see [Call.AppendItem].
	Listed bool
}

// Value says what the value of a command that carries a verb is for the verb.
type Value uint8

// The verb takes no value, or the value is words of the verb separated by white space,
// or its data.
const (
	NoValue Value = iota
	WordsValue
	DataValue
)
