package verbkeys

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/catalog"
)

// maxPrefix is the longest prefix, in bytes, which leaves room for the verb and a key.
const maxPrefix = 128

// Keys recognizes and translates the requests that carry verbs. It is not safe
// for concurrent use.
type Keys struct {
	prefix []byte
	words  []byte   // scratch: the words of the translated request
	parts  [][]byte // scratch: the parts of a key that are words
}

// Check returns an error for a prefix that no key can begin with, or that is too long.
func Check(prefix string) error {
	if !protocol.PlainWord([]byte(prefix)) || len(prefix) > maxPrefix {
		return fmt.Errorf("%q is not 1 to %d bytes without white space or control characters", prefix, maxPrefix)
	}
	return nil
}

// New returns Keys for a prefix that [Check] accepts.
func New(prefix string) *Keys { return &Keys{prefix: []byte(prefix)} }

// Cover reports whether key names a verb rather than an item.
func (k *Keys) Cover(key []byte) bool { return bytes.HasPrefix(key, k.prefix) }

// Translate sets verb to the request that req carries. req is no get, gets, gat or
// gats, its key names a verb, and it may have been refused. If it carries no verb,
// Translate returns the error line. verb is valid as long as req, and until the next
// translation.
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

// Read is Translate for the retrieval of key by command.
func (k *Keys) Read(command protocol.Command, key []byte, verb *protocol.Request) (refusal string) {
	switch k.parse(command, key, verb) {
	case fine:
		return ""
	case wrongCommand:
		return noItem(key)
	case wrongVerb:
		return k.unknown(key, false)
	case noWord:
		return k.lacking(key)
	}
	return badKey(key)
}

// Subject returns the verb that the retrieval of key by command carries, and the verb's
// key; nil if it carries none. The verb's key is valid until the next translation.
func (k *Keys) Subject(command protocol.Command, key []byte) (subject []byte, verb *verbs.Verb) {
	var req protocol.Request
	if k.parse(command, key, &req) != fine {
		return nil, nil
	}
	return req.Key, catalog.Of(&req)
}

// problem is what is wrong with a key.
type problem uint8

const (
	fine problem = iota
	wrongCommand
	wrongVerb
	noWord
	wrongKey
)

// parse sets verb to the request that the retrieval of key by command carries.
func (k *Keys) parse(command protocol.Command, key []byte, verb *protocol.Request) problem {
	if command == protocol.Gat || command == protocol.Gats {
		return wrongCommand
	}
	name, subject := k.split(key)
	named := verbNamed(name)
	if named == nil || stores(named) {
		return wrongVerb
	}
	subject, words, ok := k.cutWords(subject, named.Carry)
	switch {
	case !ok:
		return noWord
	case !protocol.PlainWord(subject):
		return wrongKey
	}
	line := append(k.words[:0], subject...)
	for _, word := range words {
		if !protocol.PlainWord(word) {
			return wrongKey
		}
		line = append(append(line, ' '), word...)
	}
	k.words = line
	*verb = protocol.Request{Command: protocol.Extra, Verb: &named.Verb}
	if named.Read(line, verb); verb.Refusal != "" {
		return wrongKey
	}
	return fine
}

// split splits a key, without the prefix, into the verb's name and the rest.
func (k *Keys) split(key []byte) (name, subject []byte) {
	name, subject, _ = bytes.Cut(key[len(k.prefix):], []byte{'/'})
	return name, subject
}

// cutWords cuts the words off the end of subject and returns them in order. It returns
// false if there are too few.
func (k *Keys) cutWords(subject []byte, carry *verbs.Carry) (rest []byte, words [][]byte, ok bool) {
	words = k.parts[:0]
	for len(words) < carry.Words+carry.Times {
		slash := bytes.LastIndexByte(subject, '/')
		if slash < 0 {
			break
		}
		word := subject[slash+1:]
		if _, isNumber := protocol.ParseInt(word); len(words) >= carry.Words && !isNumber {
			break
		}
		words = append(words, word)
		subject = subject[:slash]
	}
	k.parts = words
	slices.Reverse(words)
	return subject, words, len(words) >= carry.Words
}
