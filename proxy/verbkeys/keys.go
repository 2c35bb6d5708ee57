package verbkeys

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// maxPrefix is the longest prefix, in bytes, which leaves room for the verb and a key.
const maxPrefix = 128

// Keys recognizes and translates the requests that carry verbs. It is not safe
// for concurrent use.
type Keys struct {
	prefix []byte
	line   []byte   // scratch: the line of the translated request, after the verb's name
	first  int      // where the words from the key begin in it
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

// Translate sets verb to the request that req carries. req is not a get, gets, gat or gats, its key
// names a verb, and the parser may have refused it. If it carries no verb, Translate returns the
// error line. verb is valid as long as req, and until the next translation. now is in seconds since
// 1970.
func (k *Keys) Translate(req, verb *protocol.Request, now int64) (refusal string) {
	if req.Refusal != "" {
		return req.Refusal
	}
	by := carrier(req)
	if by == protocol.Unknown {
		return k.noCarrier(req)
	}
	named, wrong := k.begin(by, req.Key)
	if wrong != fine {
		return k.explain(wrong, by, req.Key)
	}
	if by == protocol.Get {
		refusal = k.read(named, req.Key, verb)
		verb.Details = req.Command.Meta()
		return refusal
	}
	return k.change(named, req, verb, now)
}

// Futile reports whether req deletes a key whose verb is carried by set, and returns the verb's key, which is
// valid until the next translation. There is nothing to delete, but it is not an error either: some libraries,
// such as Django's, delete a key whose set was answered NOT_STORED.
func (k *Keys) Futile(req *protocol.Request) (subject []byte, futile bool) {
	if req.Refusal != "" || carrier(req) != protocol.Delete {
		return nil, false
	}
	if _, wrong := k.begin(protocol.Set, req.Key); wrong != fine {
		return nil, false
	}
	return k.line[:k.first], true
}

// Read is Translate for the retrieval of key by command, which is get, gets, gat or gats.
func (k *Keys) Read(command protocol.Command, key []byte, verb *protocol.Request) (refusal string) {
	if !reads(command) {
		return k.noItem(key)
	}
	named, wrong := k.begin(protocol.Get, key)
	if wrong != fine {
		return k.explain(wrong, protocol.Get, key)
	}
	return k.read(named, key, verb)
}

// Subject returns the verb that the retrieval of key by command carries, and the verb's
// key; nil if it carries none. The verb's key is valid until the next translation.
func (k *Keys) Subject(command protocol.Command, key []byte) (subject []byte, verb *verbs.Verb) {
	if !reads(command) {
		return nil, nil
	}
	named, wrong := k.begin(protocol.Get, key)
	if wrong != fine {
		return nil, nil
	}
	subject, _ = protocol.NextWord(k.line)
	return subject, named
}

// problem is what is wrong with a key.
type problem uint8

const (
	fine problem = iota
	wrongVerb
	noPart
	wrongKey
)

// begin finds the verb that key names, which must be carried by the command by, and begins its line
// with the words from the key: the verb's key and words.
func (k *Keys) begin(by protocol.Command, key []byte) (*verbs.Verb, problem) {
	name, subject := k.split(key)
	named := verbNamed(name)
	if named == nil || !carries(named.Carry, by) {
		return nil, wrongVerb
	}
	subject, words, ok := k.cutWords(subject, named.Carry)
	switch {
	case len(subject) == 0, !ok:
		return nil, noPart
	case !protocol.PlainWord(subject):
		return nil, wrongKey
	}
	if k.line = k.line[:0]; cap(k.line) > keptLine {
		k.line = nil
	}
	k.line = append(k.line, subject...)
	k.first = len(k.line)
	for _, word := range words {
		if !protocol.PlainWord(word) {
			return nil, wrongKey
		}
		k.line = append(append(k.line, ' '), word...)
	}
	return named, fine
}

// carries reports whether a verb can be carried by a command.
func carries(carry *verbs.Carry, by protocol.Command) bool {
	return carry.By == by || carry.Down && by == protocol.Decr
}

// keptLine is how many bytes of scratch are kept for the next translation.
const keptLine = 64 << 10

// read has the verb parse the line as if a client had sent it, and sets verb to the result.
func (k *Keys) read(named *verbs.Verb, key []byte, verb *protocol.Request) (refusal string) {
	*verb = protocol.Request{Command: protocol.Extra, Verb: &named.Verb, Listed: named.Carry.Listed}
	named.Read(k.line, verb)
	switch {
	case verb.Refusal == "":
		return ""
	case named.Carry.Value == verbs.NoValue && verb.Refusal == verbs.Usage(verb):
		return k.otherwise(named, key)
	}
	return within(key, verb.Refusal)
}

// Name returns the verb's name in key, whether or not there is such a verb; nil if key names none, or k is nil.
func (k *Keys) Name(key []byte) []byte {
	if k == nil || !k.Cover(key) {
		return nil
	}
	name, _ := k.split(key)
	return name
}

// split splits a key, without the prefix, into the verb's name and the rest.
func (k *Keys) split(key []byte) (name, subject []byte) {
	name, subject, _ = bytes.Cut(key[len(k.prefix):], []byte{'/'})
	return name, subject
}

// cutWords cuts the words off the end of subject and returns them in order. It returns
// false if there are too few.
func (k *Keys) cutWords(subject []byte, carry *verbs.Carry) (rest []byte, words [][]byte, ok bool) {
	if carry.Before != "" {
		subject, words = cutNumbers(subject, k.parts[:0], carry)
		k.parts = words
		return subject, words, true
	}
	subject, words = cutOption(subject, k.parts[:0], carry.Option)
	least := len(words) + carry.Words
	for len(words) < least+carry.Times {
		slash := bytes.LastIndexByte(subject, '/')
		if slash < 0 {
			break
		}
		word := subject[slash+1:]
		if len(words) >= least && !isTime(word, carry) {
			break
		}
		words = append(words, word)
		subject = subject[:slash]
	}
	k.parts = words
	slices.Reverse(words)
	return subject, words, len(words) >= least
}

// isTime reports whether a part of a key is one of the Times of carry.
func isTime(part []byte, carry *verbs.Carry) bool {
	_, isNumber := protocol.ParseInt(part)
	return isNumber || carry.Bounds && (string(part) == "-" || string(part) == "+")
}

// cutNumbers cuts the numbers of carry, and the part Before them, off the end of subject and appends
// them to words, if all of these are there.
func cutNumbers(subject []byte, words [][]byte, carry *verbs.Carry) ([]byte, [][]byte) {
	rest, numbers := subject, words
	for range carry.Times {
		slash := bytes.LastIndexByte(rest, '/')
		if slash < 0 {
			return subject, words
		}
		if _, isNumber := protocol.ParseInt(rest[slash+1:]); !isNumber {
			return subject, words
		}
		rest, numbers = rest[:slash], append(numbers, rest[slash+1:])
	}
	rest, found := bytes.CutSuffix(rest, []byte(carry.Before))
	if rest, slashed := bytes.CutSuffix(rest, []byte{'/'}); found && slashed {
		slices.Reverse(numbers)
		return rest, numbers
	}
	return subject, words
}

// cutOption cuts an option off the end of subject and appends it to words, if it is there.
func cutOption(subject []byte, words [][]byte, option string) ([]byte, [][]byte) {
	before, found := bytes.CutSuffix(subject, []byte(option))
	if option == "" || !found || !bytes.HasSuffix(before, []byte{'/'}) {
		return subject, words
	}
	return before[:len(before)-1], append(words, subject[len(before):])
}
