package verbs

import "github.com/memverbs/memverbs/protocol"

// Verb is a command that memcached lacks, with all its properties. Code that treats
// verbs differently checks these properties, never a verb's name.
type Verb struct {
	protocol.Verb

	// Does says in a few words what the verb does, for people. The verb is the subject of the
	// sentence.
	Does string

	// Keys says that the words are keys, the first of them the request's key, and that
	// the verb uses all of these structures.
	Keys bool

	// Reads says that the verb reads its structures as a whole; a verb that only appends does not.
	// ReadOnly says that it changes no item.
	Reads, ReadOnly bool

	// Ordered says that a call of the verb takes effect after all calls on the same structure that
	// were Queued when it began, on the same event loop, see [Call]. So a client's later call need
	// not wait until its earlier one has ended. It is true of a verb that decides on one structure,
	// once.
	Ordered bool

	// Removes says that the verb removes what it answers with, so that it is lost if the client does
	// not get the answer.
	Removes bool

	// Waits says that a line of the verb may end in how long to wait until there is something to answer with, see
	// [CutWait], and so may a key that names it. Class returns what tells the words of calls apart of which one may find
	// something when another finds nothing; it is nil if that depends on no words.
	Waits bool
	Class func(words []byte) []byte
	// Relative reports whether words have a time relative to now. For a call that waits, now is when it began to, however
	// often it is made: that is its [protocol.Request.When]. Relative is nil if no words have such times.
	Relative func(words []byte) bool

	// Shrinks says that a verb that changes a structure adds nothing that a call may wait for.
	Shrinks bool

	// Whole says that the answer may be as large as all the data of the structure.
	Whole bool

	// NamedParts says that the keys of the structure's items are documented (its own
	// key, a colon and more), so that clients may use them in plain commands.
	NamedParts bool

	// Everywhere says that the key is a namespace of its pool, and that the verb concerns all upstreams of the pool.
	Everywhere bool

	// Local says that the verb asks no upstream.
	Local bool

	// Tokens returns the most bytes that the verb appends for the words and the data of a request. It is nil
	// for a verb that does more than append.
	Tokens func(words, data []byte) int
	// Multiplies says that few words may become many tokens, so that memory for these is reserved
	// before a call begins.
	Multiplies bool

	// Traces returns keys of items of which one is there if the structure under key is that req concerns. It is nil if the
	// item under key is. Nothing but these items makes a structure. It returns none if the structure may be divided among
	// several upstreams, see [Scattered].
	Traces func(req *protocol.Request, key []byte, env Env) [][]byte

	// Carry says how ordinary commands carry the verb; nil if they can't.
	Carry *Carry

	// Glance answers a call from memory if that can be done at once, and does nothing otherwise. It is nil for a verb that always
	// asks.
	Glance func(*Call)

	// Run begins a call and returns its first step. [Coroutine] makes a Run that runs the whole
	// call on a coroutine.
	Run func(*Call) Step
}

// TracesOf returns keys of items of which one is there if the structure under key is that req concerns.
func (v *Verb) TracesOf(req *protocol.Request, key []byte, env Env) [][]byte {
	if v.Traces == nil {
		return [][]byte{key}
	}
	return v.Traces(req, key, env)
}

// Scattered is the Traces of verbs on structures that consist of independent items, which end by themselves. When the servers
// of the pool change, such a structure does not remain as a whole where it was: what is added comes to the upstream that owns
// it now, and verbs also read what is left at [Env.FormerPlaces].
func Scattered(*protocol.Request, []byte, Env) [][]byte { return nil }

// Carry says how an ordinary command carries a verb: the command's key is a prefix, the
// verb's name, a slash, the verb's key, and then words of the verb, with slashes between.
// The words of the verb's line are those in the key, then those of the command's value, then its
// exptime. If the verb takes data, flags, exptime or time, and the length of the data follow the
// words in the key; if it counts, the number does.
type Carry struct {
	// By is the command: Get, Set, Add, Delete, Touch, Incr or Decr. Its variants and its meta form
	// carry the verb too. The reply has the form of that command, see package verbkeys. A
	// verb that is not carried by Get takes the option noreply.
	By protocol.Command
	// Value says how the verb uses the value of a Set or Add.
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
	// Times is how many more parts at the end are words if they are numbers, or, with Bounds, - or +,
	// which mean no bound; of a verb that is to wait, one at most.
	Times  int
	Bounds bool
	// Before, if not empty, is a part that must precede these, and then all of them must be there.
	// Without that part they belong to the verb's key.
	Before string
	// Named are words of the verb, each of which may stand at the end of the key, followed by a part with its number, in
	// this order: most/3. They come after all other words.
	Named []string
	// Exptime says that the exptime of the command is a word of the verb's line: the one after the
	// flags, or the last one, in seconds from now. If it is false, the exptime of a Set or Add is
	// that of an item that the verb creates.
	Exptime bool
	// Time says that the verb's line has a time after the flags; it is 0, for now.
	Time bool
	// Down says that a verb carried by Incr is carried by Decr too, with the number negated.
	Down bool
	// Initial says that the initial value that an Incr or Decr gives, in its meta form or in the binary
	// protocol, is the last word of the verb's line. Without it, an initial value is ignored.
	Initial bool
	// ValueFirst says that the number of an Incr or Decr, or the words of the value and the exptime, come before the words
	// in the key.
	ValueFirst bool
	// Listed says that the answer has any number of values, see [Call.AppendItem].
	Listed bool
	// Single says that the value has to be a single word, and that the answer is how many words were new:
	// if none, the reply is that nothing was stored.
	Single bool
	// Asks, if not empty, is the last word of the verb's line if Get carries the verb, too, to look and change nothing.
	Asks string
	// Number converts the answer to the number that an Incr answers with. It is nil if the answer is that number.
	Number func(answer []byte) uint64
	// Split says that all parts of the key are words: the keys of a verb that takes several.
	Split bool
}

// Value says how a verb uses the value of the command that carries it.
type Value uint8

// The verb takes no value, or the value is words of the verb separated by white space,
// or its data.
const (
	NoValue Value = iota
	WordsValue
	DataValue
)
