package binary

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"unsafe"

	"github.com/memverbs/memverbs/protocol"
)

// Form is what is kept of a request to convert its reply, in the text protocol, to a packet.
type Form struct {
	opcode byte
	keyed  bool // the key is returned
	last   bool // the packet was malformed, so the connection is closed after the answer
	opaque uint32
}

const formSize = int(unsafe.Sizeof(Form{}))

// keep notes whether the answer to req returns the key.
func (f *Form) keep(c *command, req *protocol.Request) { f.keyed = c.keyed && len(req.Key) > 0 }

// Keyed reports whether Begin and Append need the key.
func (f Form) Keyed() bool { return f.keyed }

// Quiet reports whether the expected outcome has no answer.
func (f Form) Quiet() bool { return commands[f.opcode].quiet }

// QuietGet reports whether the request is a part of a multi-get, which only a value answers: an error has
// no answer, like a miss. An error would be a packet without a key. Some clients take that for the end of
// the multi-get, and the packets after it for the answers to their next requests; others wait for the
// answer to the noop. A malformed packet is not part of a multi-get: it is answered with an error, as by
// memcached, and the connection is closed.
func (f Form) QuietGet() bool {
	c := &commands[f.opcode]
	return c.kind == get && c.quiet && !f.last
}

// Append appends the answer to dst. reply is the whole reply in the text protocol, empty for
// quit; key is the key if the form is [Form.Keyed]. Append appends nothing if the client does
// not want the answer.
func (f Form) Append(dst, reply, key []byte) []byte {
	if commands[f.opcode].kind == stat && bytes.HasPrefix(reply, []byte("STAT ")) {
		return f.appendStats(dst, reply)
	}
	dst, from, size := f.Begin(dst, reply, key)
	return append(dst, reply[from:from+size]...)
}

// Size returns an upper bound of the bytes that Append appends.
func (f Form) Size(reply, key []byte) int {
	const most = headerSize + 64 // with a description of memcached's
	size := most + len(reply) + len(key)
	if commands[f.opcode].kind == stat { // each line becomes a packet
		size += headerSize * bytes.Count(reply, []byte{'\n'})
	}
	return size
}

// Begin is Append without the value, which comes last in the answer. It returns that the value is
// reply[from:from+size]; reply may end before the value does.
func (f Form) Begin(dst, reply, key []byte) (begun []byte, from, size int) {
	line, after := firstLine(reply)
	c := &commands[f.opcode]
	if !f.keyed {
		key = nil
	}
	switch code, rest := protocol.NextWord(line); string(code) {
	case "VALUE":
		return f.beginValue(dst, rest, after, key)
	case "VA":
		length, rest := protocol.NextWord(rest)
		size, _ = protocol.ParseLength(length)
		if c.kind == count {
			return f.appendCount(dst, reply[after:], size, rest), len(reply), 0
		}
		flags, cas := told(rest)
		return f.appendHit(dst, size, flags, cas, key), after, size
	case "HD":
		flags, cas := told(rest)
		if c.kind == touch {
			return f.appendHit(dst, 0, flags, cas, nil), after, 0
		}
		return f.appendDone(dst, "", cas), after, 0
	case "EN":
		return f.appendMiss(dst, key), after, 0
	case "NF":
		return f.appendStatus(dst, notFound), after, 0
	case "EX":
		return f.appendStatus(dst, exists), after, 0
	case "NS":
		return f.appendStatus(dst, c.notStored()), after, 0
	case "END":
		if c.kind == get {
			return f.appendMiss(dst, key), after, 0
		}
		return f.appendDone(dst, "", 0), after, 0
	case "", "OK", "MN", "RESET", "STORED":
		return f.appendDone(dst, c.confirmation(), 0), len(reply), 0
	case "VERSION":
		return f.appendDone(dst, string(rest), 0), len(reply), 0
	}
	if c.kind == stat && string(line) == "ERROR" {
		return f.appendStatus(dst, notFound), len(reply), 0
	}
	s, text := statusOf(line)
	if f.QuietGet() && s != authFailed {
		return dst, len(reply), 0
	}
	return f.appendText(dst, s, text), len(reply), 0
}

// beginValue is Begin for a VALUE, whose data are at from. words are the key, the flags, the length
// and the CAS of its line.
func (f Form) beginValue(dst, words []byte, from int, key []byte) (begun []byte, data, size int) {
	_, words = protocol.NextWord(words)
	flags, words := protocol.NextWord(words)
	length, words := protocol.NextWord(words)
	unique, _ := protocol.NextWord(words)
	size, _ = protocol.ParseLength(length)
	told, _ := protocol.ParseUint(flags)
	cas, _ := protocol.ParseUint(unique)
	return f.appendHit(dst, size, uint32(told), cas, key), from, size
}

// firstLine returns the first line of reply, and where the next begins.
func firstLine(reply []byte) (line []byte, next int) {
	i := bytes.IndexByte(reply, '\n')
	if i < 0 {
		return reply, len(reply)
	}
	return bytes.TrimSuffix(reply[:i], []byte{'\r'}), i + 1
}

// told returns the client flags and the CAS in a meta reply, each 0 if the reply does not have it.
func told(words []byte) (flags uint32, cas uint64) {
	for word := range protocol.Words(words) {
		switch word[0] {
		case 'c':
			cas, _ = protocol.ParseUint(word[1:])
		case 'f':
			n, _ := protocol.ParseUint(word[1:])
			flags = uint32(n)
		}
	}
	return flags, cas
}

// confirmation returns the text of a successful answer.
func (c *command) confirmation() string {
	switch c.kind {
	case mechanisms:
		return "PLAIN"
	case auth:
		return "Authenticated"
	}
	return ""
}

// notStored returns the status of a change that the item or its absence prevents.
func (c *command) notStored() status {
	switch c.mode {
	case 'E':
		return exists
	case 'R':
		return notFound
	}
	return notStored
}

// appendHit appends the answer to a get that has found a value of size bytes, without the value.
func (f Form) appendHit(dst []byte, size int, flags uint32, cas uint64, key []byte) []byte {
	const extras = 4
	dst = f.appendHeader(dst, success, extras, len(key), extras+len(key)+size, cas)
	dst = binary.BigEndian.AppendUint32(dst, flags)
	return append(dst, key...)
}

// appendCount appends the answer to an increment or decrement whose result is the first size
// bytes of value.
func (f Form) appendCount(dst, value []byte, size int, words []byte) []byte {
	if commands[f.opcode].quiet {
		return dst
	}
	digits, _ := protocol.NextWord(value[:min(size, len(value))]) // a decremented number may end in spaces
	n, _ := strconv.ParseUint(string(digits), 10, 64)
	_, cas := told(words)
	dst = f.appendHeader(dst, success, 0, 0, 8, cas)
	return binary.BigEndian.AppendUint64(dst, n)
}

// appendMiss appends the answer to a get without a value.
func (f Form) appendMiss(dst, key []byte) []byte {
	switch c := &commands[f.opcode]; {
	case c.quiet:
		return dst
	case len(key) > 0:
		return append(f.appendHeader(dst, notFound, 0, len(key), len(key), 0), key...)
	}
	return f.appendStatus(dst, notFound)
}

// appendDone appends the answer to a change that was made, or the like.
func (f Form) appendDone(dst []byte, value string, cas uint64) []byte {
	if commands[f.opcode].quiet {
		return dst
	}
	return append(f.appendHeader(dst, success, 0, 0, len(value), cas), value...)
}

func (f Form) appendStatus(dst []byte, s status) []byte { return f.appendText(dst, s, texts[s]) }

func (f Form) appendText(dst []byte, s status, text string) []byte {
	return append(f.appendHeader(dst, s, 0, 0, len(text), 0), text...)
}

// appendStats appends a packet for each line of statistics, and an empty one.
func (f Form) appendStats(dst, reply []byte) []byte {
	for len(reply) > 0 {
		line, next := firstLine(reply)
		reply = reply[next:]
		first, rest := protocol.NextWord(line)
		if string(first) != "STAT" {
			break
		}
		name, value := protocol.NextWord(rest)
		dst = f.appendHeader(dst, success, 0, len(name), len(name)+len(value), 0)
		dst = append(append(dst, name...), value...)
	}
	return f.appendHeader(dst, success, 0, 0, 0, 0)
}

// appendHeader appends the header of an answer.
func (f Form) appendHeader(dst []byte, s status, extras, key, body int, cas uint64) []byte {
	dst = append(dst, answerMagic, f.opcode)
	dst = binary.BigEndian.AppendUint16(dst, uint16(key))
	dst = append(dst, byte(extras), 0)
	dst = binary.BigEndian.AppendUint16(dst, uint16(s))
	dst = binary.BigEndian.AppendUint32(dst, uint32(body))
	dst = binary.BigEndian.AppendUint32(dst, f.opaque)
	return binary.BigEndian.AppendUint64(dst, cas)
}
