package verbkeys

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// change translates a set or ms.
func (k *Keys) change(req, verb *protocol.Request) (refusal string) {
	name, subject := k.split(req.Key)
	named := verbNamed(name)
	if named == nil || !stores(named) {
		return k.unknown(req.Key, true)
	}
	*verb = protocol.Request{Command: protocol.Extra, Verb: &named.Verb, Key: subject, Quiet: req.Quiet}
	if !protocol.PlainWord(subject) {
		return badKey(req.Key)
	}
	if refusal = arguments(req, verb); refusal != "" {
		return refusal
	}
	if named.Carry.Value == verbs.DataValue {
		verb.Data = req.Data
		return ""
	}
	return k.members(req, verb)
}

// arguments copies flags and exptime from req to verb.
func arguments(req, verb *protocol.Request) (refusal string) {
	if req.Command == protocol.Set {
		verb.Flags, verb.Exptime = req.Flags, req.Exptime
		return ""
	}
	for flag := range req.MetaFlags() {
		switch value := flag[1:]; flag[0] {
		case 'F':
			n, _ := protocol.ParseUint(value)
			verb.Flags = uint32(n)
		case 'T':
			verb.Exptime, _ = protocol.ParseInt(value)
		}
	}
	if req.Mode != 0 && req.Mode != 'S' {
		return fmt.Sprintf("CLIENT_ERROR %s names a verb: it takes the mode S of ms only", shown(req.Key))
	}
	return ""
}

// keptWords is how many bytes of scratch are kept for the next translation.
const keptWords = 64 << 10

// members converts a value to words: white space of any kind separates them.
func (k *Keys) members(req, verb *protocol.Request) (refusal string) {
	if k.words = k.words[:0]; cap(k.words) > keptWords {
		k.words = nil
	}
	data := req.Data
	for {
		for len(data) > 0 && isSpace(data[0]) {
			data = data[1:]
		}
		if len(data) == 0 {
			break
		}
		n := 1
		for n < len(data) && !isSpace(data[n]) {
			n++
		}
		if !protocol.PlainWord(data[:n]) {
			return fmt.Sprintf("CLIENT_ERROR member %d for %s is not 1 to %d bytes without control characters; members are plain text, neither serialized nor compressed",
				verb.NumWords+1, shown(req.Key), protocol.MaxKey)
		}
		if verb.NumWords++; verb.NumWords > 1 {
			k.words = append(k.words, ' ')
		}
		k.words = append(k.words, data[:n]...)
		data = data[n:]
	}
	verb.Words = k.words
	if verb.NumWords == 0 {
		return fmt.Sprintf("CLIENT_ERROR no member for %s: expected at least one in the value, white space between", shown(req.Key))
	}
	return ""
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
