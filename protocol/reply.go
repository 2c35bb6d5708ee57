package protocol

import (
	"bytes"
	"errors"
)

// ReplyKind is the kind of one unit of a reply.
type ReplyKind uint8

const (
	// ReplyStatus is one line that ends a classic command: STORED, NOT_FOUND,
	// OK, a number and so on.
	ReplyStatus ReplyKind = 1 << iota
	// ReplyValue is VALUE with its data block; more units follow, END last.
	ReplyValue
	// ReplyEnd is END.
	ReplyEnd
	// ReplyError is ERROR, CLIENT_ERROR or SERVER_ERROR.
	ReplyError
	// ReplyMeta is the one line that ends a meta command.
	ReplyMeta
	// ReplyMetaValue is VA with its data block, which ends a meta command.
	ReplyMetaValue
	// ReplyVersion is VERSION.
	ReplyVersion
	// ReplyStat is STAT, one line of statistics; more units follow, END last.
	ReplyStat
)

// Reply is one unit of a server's reply. Its slices point into the buffer that was
// parsed.
type Reply struct {
	Kind ReplyKind
	// Line is the line, without its end.
	Line []byte
	// Key is the key of a VALUE.
	Key []byte
	// Tail is what follows the length of a VALUE: a CAS, or nothing. Verbs put other
	// things there.
	Tail []byte
	// Data is the data block of a VALUE or VA, without its line end.
	Data []byte
}

// Flags returns the flags of a VALUE, a number.
func (r *Reply) Flags() []byte {
	flags, _ := cutShort(r.Line[len("VALUE ")+len(r.Key)+1:])
	return flags
}

// Errors of [ParseReply]. After either, the stream can't be parsed any further.
var (
	ErrReplyLine = errors.New("a line that is no memcached reply")
	ErrReplySize = errors.New("a value with a bad length or end")
)

// ParseReply reads one unit of a reply from the start of buf. It returns the length n
// of the unit. If more bytes are needed, n is 0 and need is the total length of the
// unit, or 0 while that is unknown. If buf does not hold a reply, it returns an error.
func ParseReply(buf []byte, r *Reply) (n, need int, err error) {
	i := bytes.IndexByte(buf[:min(len(buf), MaxLine)], '\n')
	if i < 0 {
		if len(buf) >= MaxLine {
			return 0, 0, ErrReplyLine
		}
		return 0, 0, nil
	}
	if i == 0 || buf[i-1] != '\r' { // the line is passed on, and a client might not take this for its end
		return 0, 0, ErrReplyLine
	}
	line := buf[:i-1]
	word, rest := cutShort(line)
	r.Kind, r.Line, r.Key, r.Data, r.Tail = replyKind(word), line, nil, nil, nil
	switch r.Kind {
	case 0:
		return 0, 0, ErrReplyLine
	case ReplyValue, ReplyMetaValue:
		return parseValue(buf, i+1, rest, r)
	}
	return i + 1, 0, nil
}

// parseValue reads the data block that follows the line buf[:end] of a value. rest is
// what follows the first word of that line.
func parseValue(buf []byte, end int, rest []byte, r *Reply) (n, need int, err error) {
	if r.Kind == ReplyValue {
		if len(rest) > 0 && rest[0] == ' ' { // no memcached writes two spaces, and CutValue relies on one
			return 0, 0, ErrReplySize
		}
		r.Key, rest = NextWord(rest)
		_, rest = cutShort(rest) // flags
	}
	length, rest := cutShort(rest)
	size, ok := ParseLength(length)
	if !ok {
		return 0, 0, ErrReplySize
	}
	if r.Kind == ReplyValue {
		r.Tail = rest
	}
	total := end + size + 2
	if len(buf) < total {
		return 0, total, nil
	}
	if buf[total-2] != '\r' || buf[total-1] != '\n' {
		return 0, 0, ErrReplySize
	}
	r.Data = buf[end : end+size : end+size] // whoever appends to it must not overwrite the next reply
	return total, 0, nil
}

// CutValue returns the length of the VALUE of key, line and data, at the start of
// replies, or 0 if replies start with anything else. [ParseReply] must have accepted
// them before: CutValue does not validate, which makes it twice as fast.
func CutValue(replies, key []byte) int {
	const value = "VALUE "
	keyEnd := len(value) + len(key)
	if len(replies) <= keyEnd || replies[keyEnd] != ' ' || string(replies[len(value):keyEnd]) != string(key) || string(replies[:len(value)]) != value {
		return 0
	}
	line := replies[keyEnd+1:]
	end := bytes.IndexByte(line, '\n')
	_, line = cutShort(line[:max(0, end)]) // flags
	length, _ := cutShort(bytes.TrimSuffix(line, []byte("\r")))
	size, ok := ParseLength(length)
	if !ok {
		return 0
	}
	return keyEnd + 1 + end + 1 + size + len("\r\n")
}

// cutShort is [NextWord] for short words, where a byte loop is faster, with no space
// before them.
func cutShort(line []byte) (word, rest []byte) {
	for i, c := range line {
		if c == ' ' {
			return line[:i], line[i+1:]
		}
	}
	return line, nil
}

// replyKind returns the kind of a reply by its first word, 0 if memcached has no such
// reply.
func replyKind(word []byte) ReplyKind {
	if len(word) == 2 {
		switch string(word) {
		case "HD", "EN", "NF", "NS", "EX", "MN", "ME":
			return ReplyMeta
		case "VA":
			return ReplyMetaValue
		case "OK":
			return ReplyStatus
		}
	}
	switch string(word) {
	case "VALUE":
		return ReplyValue
	case "END":
		return ReplyEnd
	case "STORED", "NOT_STORED", "EXISTS", "NOT_FOUND", "DELETED", "TOUCHED":
		return ReplyStatus
	case "ERROR", "CLIENT_ERROR", "SERVER_ERROR":
		return ReplyError
	case "VERSION":
		return ReplyVersion
	case "STAT":
		return ReplyStat
	}
	if _, ok := ParseUint(word); ok {
		return ReplyStatus
	}
	return 0
}

// Ends reports whether a unit of kind k is the last of its reply.
func (k ReplyKind) Ends() bool { return k != ReplyValue && k != ReplyStat }
