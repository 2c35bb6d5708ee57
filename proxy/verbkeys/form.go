package verbkeys

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/protocol"
)

// Form is the form of the reply to a carrying command: the one line of a set, delete and
// the like, the reply to a meta command, or the value of one key of a get or gets.
type Form struct {
	command protocol.Command
	quiet   bool
	key     []byte
	size    int    // of the value of an ms
	flags   []byte // of a meta command, separated by spaces
}

// lines are the replies of a command to the outcomes, those without a value.
type lines [numOutcomes]string

// replies are the replies of the commands. If a command of memcached has no reply for an outcome,
// the reply is the one that makes its clients do the right thing: a delete of somebody else's lock
// is answered NOT_FOUND.
var replies = map[protocol.Command]lines{
	protocol.Set:            {Done: "STORED", NotStored: "NOT_STORED", Missing: "NOT_STORED", Exists: "NOT_STORED"},
	protocol.Add:            {Done: "STORED", NotStored: "NOT_STORED", Missing: "NOT_STORED", Exists: "NOT_STORED"},
	protocol.Delete:         {Done: "DELETED", NotStored: "NOT_FOUND", Missing: "NOT_FOUND", Exists: "NOT_FOUND"},
	protocol.Touch:          {Done: "TOUCHED", NotStored: "NOT_FOUND", Missing: "NOT_FOUND", Exists: "NOT_FOUND"},
	protocol.MetaGet:        {Done: "HD", NotStored: "EN", Missing: "EN", Exists: "EN", Hit: "HD"},
	protocol.MetaSet:        {Done: "HD", NotStored: "NS", Missing: "NS", Exists: "EX"},
	protocol.MetaDelete:     {Done: "HD", NotStored: "NF", Missing: "NF", Exists: "EX"},
	protocol.MetaArithmetic: {Done: "HD", NotStored: "NS", Missing: "NF", Exists: "EX", Hit: "HD"},
}

// ValueForm returns the form for one key of a get or gets. It retains key.
func ValueForm(command protocol.Command, key []byte) Form {
	return Form{command: command, key: key}
}

// NewForm returns the form of the reply to a request, not a get or gets, that carries a
// verb. It retains nothing of req. If the request has a flag that a verb can't answer, it
// returns an error line.
func NewForm(req *protocol.Request) (f Form, refusal string) {
	f = Form{command: req.Command, quiet: req.Quiet, key: bytes.Clone(req.Key), size: len(req.Data)}
	if !req.Command.Meta() {
		return f, ""
	}
	known := metaFlags(req)
	for flag := range req.MetaFlags() {
		if strings.IndexByte(known, flag[0]) < 0 {
			return f, fmt.Sprintf("CLIENT_ERROR %s names a verb: it takes the flags %s of %s, not %c",
				shown(req.Key), strings.Join(strings.Split(known, ""), " "), req.Command, flag[0])
		}
		f.flags = append(append(f.flags, flag...), ' ')
	}
	return f, ""
}

// Command returns the command that is answered.
func (f *Form) Command() protocol.Command { return f.command }

// Key returns the key of the request. It must not be changed.
func (f *Form) Key() []byte { return f.key }

// Size returns an upper bound of the bytes that Append appends.
func (f *Form) Size(a *Answer) int {
	return len(a.Value) + len(a.Line) + 2*len(f.key) + len(f.flags) + 192
}

// Append appends the reply to dst. For a key of a get or gets, it omits the END, which
// is common to all keys, and appends nothing for a miss.
func (f *Form) Append(dst []byte, a *Answer) []byte {
	start := len(dst)
	if a.number != nil && f.counts() {
		a = &Answer{Outcome: a.Outcome, Value: strconv.AppendUint(nil, a.number(a.Value), 10)}
	}
	switch {
	case a.Outcome == Refused:
		dst = append(append(dst, a.Line...), "\r\n"...)
	case f.tooLow(a):
		dst = fmt.Appendf(dst, "CLIENT_ERROR %s: it has counted, but the result is %s, and %s can't answer with less than 0: count without asking for the result, and get it then\r\n", shown(f.key), a.Value, f.command)
	case f.command.Meta():
		dst = f.appendMeta(dst, a)
	case f.command.Retrieval():
		dst = f.appendValue(dst, a)
	case f.counts():
		dst = appendCount(dst, a)
	default:
		dst = append(append(dst, replies[f.command][a.Outcome]...), "\r\n"...)
	}
	if f.quiet && protocol.Silent(f.command, dst[start:]) {
		return dst[:start]
	}
	return dst
}

// counts reports whether the request counts, so that its reply is a number.
func (f *Form) counts() bool {
	return f.command == protocol.Incr || f.command == protocol.Decr || f.command == protocol.MetaArithmetic
}

// tooLow reports whether the answer is a number that incr, decr and ma can't return.
func (f *Form) tooLow(a *Answer) bool {
	switch f.command {
	case protocol.Incr, protocol.Decr:
	case protocol.MetaArithmetic:
		if f.quiet || !f.has('v') { // the number is not returned
			return false
		}
	default:
		return false
	}
	return a.Outcome == Hit && bytes.HasPrefix(a.Value, []byte{'-'})
}

// appendCount appends the reply of incr or decr.
func appendCount(dst []byte, a *Answer) []byte {
	if a.Outcome == Hit {
		return append(append(dst, a.Value...), "\r\n"...)
	}
	return append(dst, "NOT_FOUND\r\n"...)
}

func (f *Form) appendValue(dst []byte, a *Answer) []byte {
	if a.Outcome != Hit {
		return dst
	}
	dst = append(append(dst, "VALUE "...), f.key...)
	dst = strconv.AppendUint(append(dst, ' '), uint64(a.Flags), 10)
	dst = strconv.AppendInt(append(dst, ' '), int64(len(a.Value)), 10)
	if f.command == protocol.Gets {
		dst = strconv.AppendUint(append(dst, ' '), a.Item.CAS, 10)
	}
	dst = append(append(dst, "\r\n"...), a.Value...)
	return append(dst, "\r\n"...)
}

// appendMeta appends a meta reply like memcached: the flags that return something, in
// the order of the request.
func (f *Form) appendMeta(dst []byte, a *Answer) []byte {
	withValue := a.Outcome == Hit && f.has('v')
	if withValue {
		dst = strconv.AppendInt(append(dst, "VA "...), int64(len(a.Value)), 10)
	} else {
		dst = append(dst, replies[f.command][a.Outcome]...)
	}
	for flag := range protocol.Words(f.flags) {
		dst = f.appendFlag(dst, flag, a)
	}
	dst = append(dst, "\r\n"...)
	if withValue {
		dst = append(append(dst, a.Value...), "\r\n"...)
	}
	return dst
}

// appendFlag appends what one flag of the request returns. On a miss only O and k
// return something.
func (f *Form) appendFlag(dst, flag []byte, a *Answer) []byte {
	switch flag[0] {
	case 'O':
		return append(append(dst, ' '), flag...)
	case 'k':
		if f.has('b') {
			return append(base64.StdEncoding.AppendEncode(append(dst, " k"...), f.key), " b"...)
		}
		return append(append(dst, " k"...), f.key...)
	}
	switch {
	case f.command == protocol.MetaSet:
		return f.appendStored(dst, flag[0])
	case a.Outcome != Hit:
		return dst
	}
	switch flag[0] {
	case 's':
		return strconv.AppendInt(append(dst, " s"...), int64(len(a.Value)), 10)
	case 'c':
		return strconv.AppendUint(append(dst, " c"...), a.Item.CAS, 10)
	case 'f':
		return strconv.AppendUint(append(dst, " f"...), uint64(a.Flags), 10)
	case 't':
		return strconv.AppendInt(append(dst, " t"...), a.Item.TTL, 10)
	}
	return dst
}

// appendStored appends what a flag of ms returns. The CAS of a change is unknown, so c
// returns 0.
func (f *Form) appendStored(dst []byte, flag byte) []byte {
	switch flag {
	case 's':
		return strconv.AppendInt(append(dst, " s"...), int64(f.size), 10)
	case 'c':
		return append(dst, " c0"...)
	}
	return dst
}

// has reports whether the request has a flag.
func (f *Form) has(flag byte) bool {
	for word := range protocol.Words(f.flags) {
		if word[0] == flag {
			return true
		}
	}
	return false
}
