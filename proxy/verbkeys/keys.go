package verbkeys

import (
	"bytes"
	"fmt"

	"github.com/memverbs/memverbs/protocol"
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

// shown returns a key in a form that is safe in a reply: a key that came in base64 may
// contain anything, even line ends.
func shown(key []byte) string {
	if protocol.PlainWord(key) {
		return string(key)
	}
	return fmt.Sprintf("%q", key)
}
