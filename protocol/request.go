package protocol

// Request is one command of a client. Its slices point into the buffer that
// was parsed, or into the parser: they hold until the next call.
type Request struct {
	Command Command

	// Key places the request on an upstream: the first key, decoded if it
	// came in base64. It is empty for commands without one.
	Key []byte

	// Encoded is the key in base64, as it was sent; empty if it was not sent so.
	Encoded []byte

	// Undecodable says that the key was to be base64 and is not. memcached
	// will refuse the request.
	Undecodable bool

	// Words is the list that a command takes, separated by spaces: the keys
	// of a retrieval or of a verb that takes keys, the members of sadd, srem and
	// sismember, the arguments of stats, flush_all and logfetch, the count of
	// spop and srandmember. NumWords counts them.
	Words    []byte
	NumWords int

	// Exptime is that argument of gat, gats and the storage commands but ms, as
	// it was sent.
	Exptime []byte

	// Data is the data block, without its line end. BadEnd says that it has
	// another end. Of a plain command that is left to memcached to refuse: it
	// may find more that is wrong, and removes an item it can't replace.
	Data   []byte
	BadEnd bool

	// Flags is that argument of logput and of the storage commands but ms.
	Flags uint32

	// When is the argument of logput, in milliseconds, still relative if it was
	// sent so.
	When int64

	// Quiet says that the client asked for silence: noreply, or the q flag of
	// a meta command. The line to forward no longer asks for it, so that the
	// upstream answers everything; what the client must not see is dropped
	// from the replies, see [Request.Silences].
	Quiet bool

	// Elusive says that memcached may answer or not, and only it knows: ma with
	// the q and N flags is silent about an item it has changed, but not about
	// one it has made; and flags that it refuses are not silenced. Whoever forwards the request has to send a [MetaNoop]
	// behind it; if the answer to that comes first, there is no other.
	Elusive bool

	// KeyReturn, if not nil, says that the answer has to be given the key,
	// which the line to forward does not ask for; see there.
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

	head, tail []byte // the line without its end; tail is what follows a q flag that was cut out
	block      []byte // the data block with its end
	raw        []byte // the request as it came, where it can be forwarded so
}

// begin makes r the request that line, without its end, asks for.
func (r *Request) begin(command Command, line []byte) {
	*r = Request{} // clearing in place is faster than copying a new one
	r.Command, r.head = command, line
}

// Forwardable reports whether the request can be forwarded by AppendTo. Where
// it can't, it is a retrieval whose keys have to be asked for in lines of
// their own.
func (r *Request) Forwardable() bool { return r.raw != nil || !r.Command.Retrieval() }

// AppendTo appends the request to dst as it is to be forwarded.
func (r *Request) AppendTo(dst []byte) []byte {
	if r.raw != nil {
		return append(dst, r.raw...)
	}
	dst = append(dst, r.head...)
	dst = append(dst, r.tail...)
	dst = append(dst, "\r\n"...)
	if r.Command.Storage() || r.Command == LogPut {
		dst = append(dst, r.block...)
	}
	return dst
}

// Len returns how many bytes AppendTo appends at most.
func (r *Request) Len() int {
	return len(r.head) + len(r.tail) + len(r.block) + 2
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
