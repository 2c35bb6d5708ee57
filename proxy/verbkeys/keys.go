package verbkeys

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/protocol"
)

// maxPrefix is the longest prefix, in bytes: behind it there must be room for
// the verb and a key.
const maxPrefix = 128

// Keys recognizes and translates the requests that carry verbs. It is not safe
// for concurrent use.
type Keys struct {
	prefix []byte
	words  []byte // scratch: the words of a translated request
}

// Check refuses a prefix that no key can begin with, or that leaves too little
// room for the rest of a key.
func Check(prefix string) error {
	if !protocol.PlainWord([]byte(prefix)) || len(prefix) > maxPrefix {
		return fmt.Errorf("%q is not 1 to %d bytes without white space or control characters", prefix, maxPrefix)
	}
	return nil
}

// New returns Keys for a prefix that [Check] does not refuse.
func New(prefix string) *Keys { return &Keys{prefix: []byte(prefix)} }

// Name reports whether key names a verb rather than an item.
func (k *Keys) Name(key []byte) bool { return bytes.HasPrefix(key, k.prefix) }

// Carries reports whether the key, or one of the keys, of req names a verb.
func (k *Keys) Carries(req *protocol.Request) bool {
	if !req.Command.Retrieval() {
		return len(req.Key) > 0 && !req.Command.Verb() && k.Name(req.Key)
	}
	for rest := req.Words; ; {
		var key []byte
		if key, rest = protocol.NextWord(rest); len(key) == 0 {
			return false
		}
		if k.Name(key) {
			return true
		}
	}
}

// Translate makes verb the request that req, which is no retrieval, carries.
// If that is none, it returns the line that says why; req may have been refused
// before. What verb holds is valid as long as req is, and until the next
// translation.
func (k *Keys) Translate(req, verb *protocol.Request) (refusal string) {
	switch {
	case req.Refusal != "":
		return req.Refusal
	case req.BadEnd:
		return "CLIENT_ERROR bad data chunk"
	case req.Command == protocol.MetaGet:
		return k.Read(req.Command, req.Key, verb)
	case req.Command == protocol.Set, req.Command == protocol.MetaSet:
		return k.change(req, verb)
	}
	return noItem(req.Key)
}

func noItem(key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s names a verb, not an item: only get, gets, mg, set and ms can carry one", key)
}

// Read makes verb the request that the retrieval of key by command carries, as
// Translate does.
func (k *Keys) Read(command protocol.Command, key []byte, verb *protocol.Request) (refusal string) {
	if command == protocol.Gat || command == protocol.Gats {
		return noItem(key)
	}
	name, subject := k.split(key)
	*verb = protocol.Request{Key: subject}
	switch name {
	case "smembers":
		verb.Command, verb.Words, verb.NumWords = protocol.SMembers, subject, 1
	case "scard":
		verb.Command, verb.Words, verb.NumWords = protocol.SCard, subject, 1
	case "sismember":
		verb.Command, verb.NumWords = protocol.SIsMember, 1
		slash := bytes.LastIndexByte(subject, '/')
		if slash < 0 {
			return fmt.Sprintf("CLIENT_ERROR %s names no member: expected %ssismember/<set>/<member>", key, k.prefix)
		}
		verb.Key, verb.Words = subject[:slash], subject[slash+1:]
	case "logfetch":
		verb.Command = protocol.LogFetch
		k.interval(verb)
	default:
		return k.unknown(key, name, "get", "smembers, scard, sismember and logfetch")
	}
	if !protocol.PlainWord(verb.Key) || verb.NumWords == 1 && !protocol.PlainWord(verb.Words) {
		return badKey(key)
	}
	return ""
}

func badKey(key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s names a key or member that is not 1 to %d bytes without white space or control characters", key, protocol.MaxKey)
}

// split cuts a key into the name of the verb and what follows it.
func (k *Keys) split(key []byte) (name string, subject []byte) {
	before, subject, _ := bytes.Cut(key[len(k.prefix):], []byte{'/'})
	return string(before), subject
}

// interval cuts the times off the key of a logfetch.
func (k *Keys) interval(verb *protocol.Request) {
	k.words = k.words[:0]
	for verb.NumWords < 2 {
		slash := bytes.LastIndexByte(verb.Key, '/')
		if slash < 0 {
			break
		}
		time := verb.Key[slash+1:]
		if _, ok := protocol.ParseInt(time); !ok {
			break
		}
		verb.Key = verb.Key[:slash]
		verb.NumWords++
		k.words = append(append(bytes.Clone(time), ' '), k.words...)
	}
	verb.Words = bytes.TrimRight(k.words, " ")
}

func (k *Keys) unknown(key []byte, name, command, known string) string {
	other := "set"
	if command == "set" {
		other = "get"
	}
	hint := ""
	if strings.Contains(" sadd srem logput smembers scard sismember logfetch ", " "+name+" ") {
		hint = "; " + name + " is carried by " + other
	}
	return fmt.Sprintf("CLIENT_ERROR %s names no verb that %s can carry: those are %s%s", key, command, known, hint)
}
