package protocol

import "strconv"

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

	// Prefix is what the client's keys have in front of the keys of this request, which is
	// sent on without it; see [Request.SetKey]. The parser leaves it empty.
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

	// When is the time argument of a verb, in milliseconds. A relative time is not
	// resolved yet.
	When int64

	// Quiet says that the client asked for silence: noreply, or the q flag of a meta
	// command. The forwarded request never asks for it, so the upstream answers
	// everything, and replies that the client must not see are dropped afterwards: see
	// [Request.Silences].
	Quiet bool

	// Details says that the reply to a verb may have to tell the time to live of the item that
	// its answer was read from, because a meta command carries the verb.
	Details bool

	// Listed says that all values in the answer of a verb are to be one, because a command whose
	// reply has one value carries it.
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

	// KeepsOld says that this is not so for an ms: the item under the key stays.
	KeepsOld bool

	flags  []byte  // of a meta command, as forwarded, each preceded by a space
	seen   flagSet // the flags that a meta command had
	held   bool    // Key and Words are in a buffer of the parser
	single bool    // Words has exactly one space between words and none at the ends
}

// begin resets r to an empty request of the command.
func (r *Request) begin(command Command) {
	*r = Request{} // clearing in place is faster than copying a new one
	r.Command = command
}

// Reset resets r to an empty request of command c, for front ends other than [Parser].
func (r *Request) Reset(c Command) { r.begin(c) }

// SetMeta resets r to a meta command, for front ends other than [Parser]. flags are forwarded as
// they are: each is a space, a letter and its value, and all are valid and different. If key
// can't be a word of a line, encoded is its base64, and the last of the flags is b; otherwise
// encoded is empty.
func (r *Request) SetMeta(c Command, key, encoded, flags []byte) {
	r.begin(c)
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

// AppendTo appends to dst the request as it is sent to an upstream, in the form that
// all versions of memcached read alike. Command must not be Extra. A retrieval becomes
// one line with the keys of this request; a part of one ([Request.More]) becomes a
// retrieval of its own.
func (r *Request) AppendTo(dst []byte) []byte {
	dst = r.AppendLine(dst)
	if r.Command.Storage() {
		dst = append(append(dst, r.Data...), "\r\n"...)
	}
	return dst
}

// AppendLine is AppendTo without the data block and its line end. Those can be sent as
// they are from the buffer that was parsed.
func (r *Request) AppendLine(dst []byte) []byte {
	dst = append(dst, names[r.Command]...)
	switch c := r.Command; {
	case c.Retrieval():
		dst = r.appendKeys(dst)
	case c == MetaSet:
		dst = append(append(dst, ' '), r.sentKey()...)
		dst = strconv.AppendInt(append(dst, ' '), int64(len(r.Data)), 10)
		dst = append(dst, r.flags...)
	case c.Meta():
		dst = append(append(dst, ' '), r.sentKey()...)
		dst = append(dst, r.flags...)
	case c.Storage():
		dst = r.appendStorage(dst)
	default:
		dst = r.appendOneLine(dst)
	}
	return append(dst, "\r\n"...)
}

// sentKey returns the key as it is forwarded.
func (r *Request) sentKey() []byte {
	if len(r.Encoded) > 0 {
		return r.Encoded
	}
	return r.Key
}

func (r *Request) appendKeys(dst []byte) []byte {
	dst = r.AppendExptime(dst)
	if r.single {
		return append(append(dst, ' '), r.Words...)
	}
	for key := range Words(r.Words) {
		dst = append(append(dst, ' '), key...)
	}
	return dst
}

// AppendExptime appends the exptime that precedes the keys of a gat or gats. It appends
// nothing for a get or gets.
func (r *Request) AppendExptime(dst []byte) []byte {
	if r.Command == Gat || r.Command == Gats {
		return strconv.AppendInt(append(dst, ' '), r.Exptime, 10)
	}
	return dst
}

func (r *Request) appendStorage(dst []byte) []byte {
	dst = append(append(dst, ' '), r.Key...)
	dst = strconv.AppendUint(append(dst, ' '), uint64(r.Flags), 10)
	dst = strconv.AppendInt(append(dst, ' '), r.Exptime, 10)
	dst = strconv.AppendInt(append(dst, ' '), int64(len(r.Data)), 10)
	if r.Command == Cas {
		dst = strconv.AppendUint(append(dst, ' '), r.Number, 10)
	}
	return dst
}

// appendOneLine appends what follows the name of a classic command without data.
func (r *Request) appendOneLine(dst []byte) []byte {
	switch r.Command {
	case Delete:
		return appendDeleted(dst, r.Key)
	case Incr, Decr:
		dst = append(append(dst, ' '), r.Key...)
		return strconv.AppendUint(append(dst, ' '), r.Number, 10)
	case Touch:
		dst = append(append(dst, ' '), r.Key...)
		return strconv.AppendInt(append(dst, ' '), r.Exptime, 10)
	case FlushAll:
		if r.NumWords > 0 {
			return strconv.AppendInt(append(dst, ' '), r.Exptime, 10)
		}
	}
	return dst
}

// AppendDelete appends a request that deletes the item under the key of r.
func (r *Request) AppendDelete(dst []byte) []byte {
	if len(r.Encoded) > 0 {
		return append(append(append(dst, "md "...), r.Encoded...), " b\r\n"...)
	}
	return append(appendDeleted(append(dst, "delete"...), r.Key), "\r\n"...)
}

// appendDeleted appends the key of a delete. The newest memcached mistakes the key
// noreply for the option unless a word follows it; the only such word that older
// versions accept is 0.
func appendDeleted(dst, key []byte) []byte {
	dst = append(append(dst, ' '), key...)
	if string(key) == noreply {
		dst = append(dst, " 0"...)
	}
	return dst
}

// Len returns an upper bound of the bytes that AppendTo appends.
func (r *Request) Len() int {
	const numbers = 128 // including the name and the line ends
	return len(r.sentKey()) + len(r.Words) + len(r.flags) + len(r.Data) + numbers
}

// Asked appends to dst what [Check] compares the reply with: the keys of a retrieval,
// or the key and flags of a meta command. What other commands change is appended too, for those who
// have to know it if there is no reply: the key, or the exptime of a flush_all.
func (r *Request) Asked(dst []byte) []byte {
	switch c := r.Command; {
	case c.Retrieval():
		return append(dst, r.Words...)
	case c.Meta():
		return append(append(dst, r.sentKey()...), r.flags...)
	case r.Overwrites():
		return append(dst, r.Key...)
	case c == FlushAll && r.NumWords > 0:
		return strconv.AppendInt(dst, r.Exptime, 10)
	}
	return dst
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
