package protocol

import "strconv"

// Request is one command of a client. Its slices point into the buffer that
// was parsed, or into the parser: they hold until the next call.
type Request struct {
	Command Command

	// Verb is the verb if Command is Extra, and nil if not.
	Verb *Verb

	// Key places the request on an upstream: the first key, decoded if it
	// came in base64. It is empty for commands without one.
	Key []byte

	// Encoded is the key in base64, as it is to be sent; empty if it was not
	// sent so.
	Encoded []byte

	// Words is the list that a command takes, separated by spaces: the keys
	// of a retrieval, the arguments of stats and flush_all, what a verb makes its
	// words. NumWords counts them.
	Words    []byte
	NumWords int

	// Exptime is that argument of the classic commands, in seconds as memcached
	// takes it.
	Exptime int64

	// Number is by how much incr and decr count, and the CAS of cas.
	Number uint64

	// Data is the data block, without its line end. BadEnd says that the request is
	// refused because it has another end.
	Data   []byte
	BadEnd bool

	// Flags is that argument of the storage commands but ms, and of some verbs.
	Flags uint32

	// Mode is the value of an M flag of ms and ma, 0 if there is none.
	Mode byte

	// When is a time that is an argument of a verb, in milliseconds, still relative if
	// it was sent so.
	When int64

	// Quiet says that the client asked for silence: noreply, or the q flag of
	// a meta command. What is forwarded does not ask for it, so that the
	// upstream answers everything; what the client must not see is dropped
	// from the replies, see [Request.Silences].
	Quiet bool

	// KeyReturn, if not nil, says that the answer has to be given the key,
	// which what is forwarded does not ask for; see there.
	KeyReturn *KeyReturn

	// More says that this is a part of a longer retrieval, and that what else
	// there is of it follows in the next request, further keys or none. Only
	// the last part ends in END.
	More bool

	// Refusal, if not empty, is the line with which to answer instead of
	// forwarding the request. The data block, if there was one, is taken off
	// the stream by the parser.
	Refusal string

	// Unlink says that memcached, besides refusing the request, removes the
	// item under the key: it does that when a set is too large, so that
	// nobody takes the old value for the new one.
	Unlink bool

	flags  []byte  // of a meta command, as they are to be forwarded, a space before each
	seen   flagSet // which flags of a meta command there were
	single bool    // Words has one space between two words and no other
}

// begin makes r a request of the command.
func (r *Request) begin(command Command) {
	*r = Request{} // clearing in place is faster than copying a new one
	r.Command = command
}

// Move has r point into to, which begins with the bytes that it was parsed from and that
// from begins with: they have been copied to another place, or within the same. What is in
// the parser stays there.
func (r *Request) Move(from, to []byte) {
	moved := func(text []byte) []byte {
		if cap(text) == 0 {
			return text
		}
		at := cap(from) - cap(text) // both reach to the end of the same buffer
		return to[at : at+len(text)]
	}
	r.Words, r.Data = moved(r.Words), moved(r.Data)
	if len(r.Encoded) == 0 {
		r.Key = moved(r.Key)
	}
}

// AppendTo appends to dst what is to be sent to an upstream for a plain command:
// not what the client wrote, but what was understood of it, in the form that all
// versions of memcached read alike. Of a retrieval that is its keys in one line;
// one that is a part ([Request.More]) becomes a whole.
func (r *Request) AppendTo(dst []byte) []byte {
	dst = r.AppendLine(dst)
	if r.Command.Storage() {
		dst = append(append(dst, r.Data...), "\r\n"...)
	}
	return dst
}

// AppendLine is AppendTo without the data block and its line end, which stand in the
// buffer that was parsed as they are to be sent.
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

// sentKey returns the key as it is to be sent.
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
	for key := range each(r.Words) {
		dst = append(append(dst, ' '), key...)
	}
	return dst
}

// AppendExptime appends what stands before the keys of a gat or gats, and nothing
// for a get or gets.
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

// AppendDelete appends a request that deletes what r is about.
func (r *Request) AppendDelete(dst []byte) []byte {
	if len(r.Encoded) > 0 {
		return append(append(append(dst, "md "...), r.Encoded...), " b\r\n"...)
	}
	return append(appendDeleted(append(dst, "delete"...), r.Key), "\r\n"...)
}

// appendDeleted appends the key of a delete. The newest memcached takes a key
// that is the word noreply for the option, unless a word follows it; the only one
// that older versions bear is 0.
func appendDeleted(dst, key []byte) []byte {
	dst = append(append(dst, ' '), key...)
	if string(key) == noreply {
		dst = append(dst, " 0"...)
	}
	return dst
}

// Len returns how many bytes AppendTo appends at most.
func (r *Request) Len() int {
	const numbers = 128 // and the name, and the line ends
	return len(r.sentKey()) + len(r.Words) + len(r.flags) + len(r.Data) + numbers
}

// Asked returns what the reply to a plain command has to be compared with, see
// [Answers]: the keys of a retrieval, the key and the flags of a meta command.
// It appends that to dst.
func (r *Request) Asked(dst []byte) []byte {
	switch c := r.Command; {
	case c.Retrieval():
		return append(dst, r.Words...)
	case c.Meta():
		return append(append(dst, r.sentKey()...), r.flags...)
	}
	return dst
}

// Silences reports whether a reply that begins with line is one that a quiet
// request does not want to see. The noreply option hides every reply, errors
// too; the q flag hides what is usual for the command: misses of mg, success
// of the others.
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
