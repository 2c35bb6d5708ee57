package eventlogs

import (
	"bytes"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
)

// event is one event of an event log. In an item it is stored as
//
//	<when> <flags> <bytes>\r\n<data>\r\n
type event struct {
	when  int64
	flags []byte
	data  []byte
}

// appendTo appends the event in its stored form.
func (e *event) appendTo(dst []byte) []byte {
	dst = strconv.AppendInt(dst, e.when, 10)
	dst = append(append(dst, ' '), e.flags...)
	dst = strconv.AppendInt(append(dst, ' '), int64(len(e.data)), 10)
	return e.appendData(dst)
}

// appendReply appends the event in the form of a reply.
func (e *event) appendReply(dst, log []byte) []byte {
	dst = append(append(dst, "VALUE "...), log...)
	dst = append(append(dst, ' '), e.flags...)
	dst = strconv.AppendInt(append(dst, ' '), int64(len(e.data)), 10)
	dst = strconv.AppendInt(append(dst, ' '), e.when, 10)
	return e.appendData(dst)
}

// appendData appends the data block.
func (e *event) appendData(dst []byte) []byte {
	dst = append(append(dst, "\r\n"...), e.data...)
	return append(dst, "\r\n"...)
}

// parseEvent parses the event at the start of item and returns what follows it, or
// false if there is none.
func parseEvent(item []byte) (e event, rest []byte, ok bool) {
	i := bytes.IndexByte(item, '\n')
	if i < 1 || item[i-1] != '\r' {
		return e, nil, false
	}
	when, line := protocol.NextWord(item[:i-1])
	flags, line := protocol.NextWord(line)
	length, line := protocol.NextWord(line)
	if e.when, ok = protocol.ParseInt(when); !ok || len(line) > 0 {
		return e, nil, false
	}
	_, okFlags := protocol.ParseUint(flags)
	size, okSize := protocol.ParseUint(length)
	item = item[i+1:]
	if !okFlags || !okSize || size > uint64(len(item)) || uint64(len(item))-size < 2 {
		return e, nil, false
	}
	if item[size] != '\r' || item[size+1] != '\n' {
		return e, nil, false
	}
	e.flags, e.data = flags, item[:size]
	return e, item[size+2:], true
}

// keep returns a copy of item without the events before oldest. It returns false if
// item does not consist of events.
func keep(item []byte, oldest int64) (kept []byte, ok bool) {
	for len(item) > 0 {
		e, rest, ok := parseEvent(item)
		if !ok {
			return nil, false
		}
		if e.when >= oldest {
			kept = append(kept, item[:len(item)-len(rest)]...)
		}
		item = rest
	}
	return kept, true
}
