package protocol

import "strconv"

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

// AppendLine is AppendTo without the data block and its line end, which can be sent unchanged from
// the buffer that was parsed.
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
// or the key and flags of a meta command. For other commands it appends what they change, which is
// needed if there is no reply: the key, or the exptime of a flush_all.
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
