package verbkeys

import (
	"bytes"
	"fmt"

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

// Cover reports whether key names a verb rather than an item.
func (k *Keys) Cover(key []byte) bool { return bytes.HasPrefix(key, k.prefix) }

// Translate makes verb the request that req carries, which is no retrieval and
// whose key names a verb. If it carries none, Translate returns the line that
// says why; req may have been refused before. What verb holds is valid as long
// as req is, and until the next translation.
func (k *Keys) Translate(req, verb *protocol.Request) (refusal string) {
	if req.Refusal != "" {
		return req.Refusal
	}
	switch req.Command {
	case protocol.MetaGet:
		return k.Read(req.Command, req.Key, verb)
	case protocol.Set, protocol.MetaSet:
		return k.change(req, verb)
	}
	return noItem(req.Key)
}

// Read makes verb the request that the retrieval of key by command carries, as
// Translate does.
func (k *Keys) Read(command protocol.Command, key []byte, verb *protocol.Request) (refusal string) {
	switch k.parse(command, key, verb) {
	case fine:
		return ""
	case wrongCommand:
		return noItem(key)
	case wrongVerb:
		return k.unknown(key, reading)
	case noMember:
		return fmt.Sprintf("CLIENT_ERROR %s names no member: expected %ssismember/<set>/<member>", shown(key), k.prefix)
	}
	return badKey(key)
}

// Subject returns the key of the set or log that the retrieval of key by
// command is about, and the verb that it carries. If it carries none, it
// returns false.
func (k *Keys) Subject(command protocol.Command, key []byte) (subject []byte, verb protocol.Command, ok bool) {
	var req protocol.Request
	if k.parse(command, key, &req) != fine {
		return nil, protocol.Unknown, false
	}
	return req.Key, req.Command, true
}

// problem is what is wrong with a key.
type problem uint8

const (
	fine problem = iota
	wrongCommand
	wrongVerb
	noMember
	wrongKey
)

// parse makes verb the request that the retrieval of key by command carries.
func (k *Keys) parse(command protocol.Command, key []byte, verb *protocol.Request) problem {
	if command == protocol.Gat || command == protocol.Gats {
		return wrongCommand
	}
	name, subject := k.split(key)
	*verb = protocol.Request{Command: verbNamed(name), Key: subject}
	switch verb.Command {
	case protocol.SMembers, protocol.SCard:
		verb.Words, verb.NumWords = subject, 1
	case protocol.SIsMember:
		slash := bytes.LastIndexByte(subject, '/')
		if slash < 0 {
			return noMember
		}
		verb.Key, verb.Words, verb.NumWords = subject[:slash], subject[slash+1:], 1
	case protocol.LogFetch:
		k.interval(verb)
	default:
		return wrongVerb
	}
	if !protocol.PlainWord(verb.Key) || verb.Command != protocol.LogFetch && !protocol.PlainWord(verb.Words) {
		return wrongKey
	}
	return fine
}

// split cuts a key into the name of the verb and what follows it.
func (k *Keys) split(key []byte) (name, subject []byte) {
	name, subject, _ = bytes.Cut(key[len(k.prefix):], []byte{'/'})
	return name, subject
}

// interval cuts the times off the key of a logfetch.
func (k *Keys) interval(verb *protocol.Request) {
	var times [2][]byte // the last first
	for verb.NumWords < 2 {
		slash := bytes.LastIndexByte(verb.Key, '/')
		if slash < 0 {
			break
		}
		time := verb.Key[slash+1:]
		if _, ok := protocol.ParseInt(time); !ok {
			break
		}
		times[verb.NumWords] = time
		verb.Key = verb.Key[:slash]
		verb.NumWords++
	}
	k.words = k.words[:0]
	for n := verb.NumWords - 1; n >= 0; n-- {
		k.words = append(append(k.words, times[n]...), ' ')
	}
	verb.Words = bytes.TrimRight(k.words, " ")
}
