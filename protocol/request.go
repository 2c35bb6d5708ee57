package protocol

import "iter"

// MaxLine is the longest line, in bytes including the line end, of a command that takes
// no list. memcached closes the connection of a client that sends more without a line
// end.
const MaxLine = 2048

// noreply is the last word of a command that asks for no reply.
const noreply = "noreply"

// Request is one command of a client. Its slices point into the buffer that was parsed,
// or into the parser: they are valid until the next call.
type Request struct {
	Command Command

	// Verb is the verb if Command is Extra, otherwise nil.
	Verb *Verb

	// Key places the request on an upstream: the first key, decoded if it
	// came in base64. It is empty for commands without one.
	Key []byte

	// Encoded is the key in base64, as it is forwarded; empty if the client did not
	// send it in base64.
	Encoded []byte

	// Prefix was stripped from the client's keys, so the keys of this request are without it; see
	// [Request.SetKey]. The parser leaves it empty.
	Prefix []byte

	// Words is the list of words that a command takes, separated by spaces: the keys of
	// a retrieval, the arguments of stats and flush_all, or what [Verb.Read] sets.
	// NumWords counts them.
	Words    []byte
	NumWords int

	// Exptime is the exptime argument of the classic commands, in seconds, with
	// memcached's meaning.
	Exptime int64

	// Number is the delta of incr and decr, or the CAS of cas.
	Number uint64

	// Data is the data block, without its line end. BadEnd says that the request is
	// refused because its data does not end in a line end.
	Data   []byte
	BadEnd bool

	// Flags is the flags argument of the classic storage commands, and of some verbs.
	Flags uint32

	// Mode is the value of an M flag of ms and ma, 0 if there is none.
	Mode byte

	// Wait is for how long a verb may wait until there is something for it, in milliseconds; 0 if it does not wait.
	Wait uint16

	// When is the time argument of a verb, in milliseconds. A relative time is not
	// resolved yet.
	When int64

	// Quiet says that the client asked for silence: noreply, or the q flag of a meta
	// command. The forwarded request never asks for it, so the upstream answers
	// everything, and replies that the client must not see are dropped afterwards: see
	// [Request.Silences].
	Quiet bool

	// Details says that the reply to a verb may need the time to live of the item that its answer
	// was read from, because a meta command carries the verb.
	Details bool

	// Listed says that all values in the answer of a verb together become one value, because the
	// command that carries the verb has a reply with one value.
	Listed bool

	// KeyReturn, if not nil, says where to insert the key into the reply, because the
	// forwarded request does not ask for it.
	KeyReturn *KeyReturn

	// More says that this is a part of a longer retrieval, and that the next request is
	// its next part, which may have no keys. Only the reply to the last part ends in
	// END.
	More bool

	// Refusal, if not empty, is the line to answer with instead of forwarding the
	// request. The parser skips the data block of a refused request.
	Refusal string

	// Unlink says that memcached, besides refusing the request, deletes the item under
	// the key. It does so when a set is too large, so that nobody mistakes the old
	// value for the new one.
	Unlink bool

	// KeepsOld says that an ms does not delete the item under the key in that case.
	KeepsOld bool

	flags  []byte  // of a meta command, as forwarded, each preceded by a space
	seen   flagSet // the flags that a meta command had
	held   bool    // Key and Words are in a buffer of the parser
	single bool    // Words has exactly one space between words and none at the ends
}

// Reset resets r to an empty request of the command.
func (r *Request) Reset(command Command) {
	*r = Request{} // clearing in place is faster than copying a new one
	r.Command = command
}

// SetMeta resets r to a meta command, for front ends other than [Parser]. flags are forwarded as
// they are: each is a space, a letter and its value, and all are valid and different. If key
// can't be a word of a line, encoded is its base64, and the last of the flags is b; otherwise
// encoded is empty.
func (r *Request) SetMeta(c Command, key, encoded, flags []byte) {
	r.Reset(c)
	r.Key, r.Encoded, r.flags = key, encoded, flags
	for i := 1; i < len(flags); i++ {
		if flags[i-1] != ' ' {
			continue
		}
		r.seen.add(flags[i])
		if flags[i] == 'M' {
			r.Mode = flags[i+1]
		}
	}
}

// Move makes r point into to instead of from. Both begin with the bytes that r was parsed
// from, and from is the end of the buffer that they were in. What the parser holds of r
// stays there.
func (r *Request) Move(from, to []byte) {
	moved := func(text []byte) []byte {
		if cap(text) == 0 {
			return text
		}
		at := cap(from) - cap(text) // both reach to the end of the same buffer
		return to[at : at+len(text)]
	}
	r.Data = moved(r.Data)
	if !r.held {
		r.Words = moved(r.Words)
	}
	if len(r.Encoded) == 0 && !r.held {
		r.Key = moved(r.Key)
	}
}

// Silences reports whether the client must not see a reply that begins with line.
// noreply hides every reply, errors too; the q flag hides the usual outcome of the
// command: misses of mg, success of the others.
func (r *Request) Silences(line []byte) bool {
	return r.Quiet && Silent(r.Command, line)
}

// Silent is [Request.Silences] for a quiet request of command c.
func Silent(c Command, line []byte) bool {
	if !c.Meta() {
		return true
	}
	if len(line) < 2 {
		return false
	}
	switch code := string(line[:2]); c {
	case MetaGet:
		return code == "EN"
	case MetaArithmetic:
		return code == "HD" || code == "VA"
	default:
		return code == "HD"
	}
}

// HasFlag reports whether a meta command has a flag, q included.
func (r *Request) HasFlag(letter byte) bool { return r.seen.has(letter) }

// MetaFlag returns the value of a flag of a meta command, nil if it does not have the flag, or that is not forwarded.
func (r *Request) MetaFlag(letter byte) []byte {
	for flag := range r.MetaFlags() {
		if flag[0] == letter {
			return flag[1:]
		}
	}
	return nil
}

// MetaFlags yields the flags of a meta command as they are forwarded, each a letter
// and its value.
func (r *Request) MetaFlags() iter.Seq[[]byte] { return Words(r.flags) }

// Name returns what a client types for the command of r.
func (r *Request) Name() string {
	if r.Verb != nil {
		return r.Verb.Name
	}
	return r.Command.String()
}
