package embedded

import (
	"encoding/base64"

	"github.com/memverbs/memverbs/protocol"
)

const (
	// maxFlags is how many flags memcached takes on a meta command.
	maxFlags = 17
	// maxOpaque is the longest O flag, in bytes, with its letter.
	maxOpaque = 32
)

// What memcached says when the flags of a meta command are not as they should
// be.
const (
	errTooMany    = "CLIENT_ERROR options flags too long"
	errTooManyGet = "CLIENT_ERROR options flags are too long"
	errDuplicate  = "CLIENT_ERROR duplicate flag"
	errFlag       = "CLIENT_ERROR invalid flag"
	errAnyFlag    = "CLIENT_ERROR invalid or duplicate flag"
	errToken      = "CLIENT_ERROR bad token in command line format"
	errInitial    = "CLIENT_ERROR invalid numeric initial value"
	errDeltaFlag  = "CLIENT_ERROR invalid numeric delta value"
	errModeLength = "CLIENT_ERROR incorrect length for M token"
	errMode       = "CLIENT_ERROR invalid mode for ms M token"
	errCountMode  = "CLIENT_ERROR invalid mode for ma M token"
	errKey        = "CLIENT_ERROR error decoding key"
	errOpaque     = "CLIENT_ERROR opaque token too long"
)

// flags are the flags of a meta command. Every command takes them all, and
// minds those that it knows.
type flags struct {
	words [][]byte // as they were sent
	given uint64   // a bit for each letter, from A on

	mode          byte  // M
	expires       int64 // T
	createExpires int64 // N
	recache       int64 // R: an item that expires before that is to be renewed
	clientFlags   uint32
	cas           uint64 // C
	newCAS        uint64 // E
	initial       uint64 // J
	amount        uint64 // D
}

func letterBit(letter byte) uint64 {
	if letter < 'A' || letter > 'z' {
		return 0
	}
	return 1 << (letter - 'A')
}

func (f *flags) has(letter byte) bool { return f.given&letterBit(letter) != 0 }

// metaFlags reads the flags of c's request. If memcached would not take them,
// it returns what it would say.
func (c *conn) metaFlags() (f flags, refusal string) {
	words := c.split()[1:]
	key, words := words[0], words[1:]
	command := c.request.Command
	if command == protocol.MetaSet {
		words = words[1:] // the length of the data
	}
	switch {
	case len(key) > protocol.MaxKey:
		return f, errFormat
	case len(words) > maxFlags && command == protocol.MetaGet:
		return f, errTooManyGet
	case len(words) > maxFlags:
		return f, errTooMany
	}
	f = flags{words: words, amount: 1}
	refusal = c.parseFlags(&f)
	switch {
	case refusal == "" && f.opaqueTooLong():
		return f, errOpaque
	case refusal != "" && (command == protocol.MetaDelete || command == protocol.MetaArithmetic):
		return f, errAnyFlag
	}
	return f, refusal
}

// parseFlags reads f.words. Of several bad tokens the last one is complained
// about; a letter that is no flag ends the search.
func (c *conn) parseFlags(f *flags) (refusal string) {
	for _, word := range f.words {
		letter := word[0]
		if f.has(letter) || letter >= 0x7f {
			return errDuplicate
		}
		f.given |= letterBit(letter)
		wrong, known := c.parseFlag(f, letter, word[1:])
		switch {
		case !known:
			return errFlag
		case wrong == errFormat && refusal != "":
			// memcached has no words of its own for this one.
		case wrong != "":
			refusal = wrong
		}
	}
	return refusal
}

// parseFlag reads one flag. wrong says what is wrong with its token.
func (c *conn) parseFlag(f *flags, letter byte, token []byte) (wrong string, known bool) {
	ok := true
	switch letter {
	case 'c', 'f', 'h', 'k', 'l', 'q', 's', 't', 'u', 'v', 'x', 'I', 'L', 'O', 'P':
	case 'b':
		wrong, ok = errKey, c.keyDecoded()
	case 'T':
		f.expires, ok = c.parseExpiry(token)
		wrong = errToken
	case 'N':
		f.createExpires, ok = c.parseExpiry(token)
		wrong = errToken
	case 'R':
		f.recache, ok = c.parseExpiry(token)
		wrong = errToken
	case 'C':
		f.cas, ok = protocol.ReadUint(token)
		wrong = errToken
	case 'E':
		f.newCAS, ok = protocol.ReadUint(token)
		wrong = errToken
	case 'F':
		var n uint64
		n, ok = protocol.ReadUint(token)
		f.clientFlags = uint32(n) // memcached keeps 32 bits
		wrong = errFormat
	case 'J':
		f.initial, ok = protocol.ReadUint(token)
		wrong = errInitial
	case 'D':
		f.amount, ok = protocol.ReadUint(token)
		wrong = errDeltaFlag
	case 'M':
		if ok = len(token) == 1; ok {
			f.mode = token[0]
		}
		wrong = errModeLength
	default:
		return "", false
	}
	if ok {
		wrong = ""
	}
	return wrong, true
}

func (c *conn) parseExpiry(token []byte) (expires int64, ok bool) {
	seconds, ok := protocol.ReadInt(token)
	return c.store.expiry(seconds), ok
}

// keyDecoded reports whether the parser could decode a key in base64. The key
// is shorter then than what was sent.
func (c *conn) keyDecoded() bool { return len(c.request.Key) < len(c.words[1]) }

func (f *flags) opaqueTooLong() bool {
	for _, word := range f.words {
		if word[0] == 'O' && len(word) > maxOpaque {
			return true
		}
	}
	return false
}

// code begins the reply to a meta command.
func (c *conn) code(code string) { c.reply = append(c.reply[:0], code...) }

// echo adds to the reply the flags that are the same whatever came of the
// command: O and k. A key that was sent in base64 is shown so.
func (c *conn) echo(word []byte, encoded bool) {
	switch word[0] {
	case 'O':
		c.reply = append(c.reply, ' ')
		c.reply = append(c.reply, word...)
	case 'k':
		c.reply = append(c.reply, " k"...)
		if !encoded {
			c.reply = append(c.reply, c.request.Key...)
			return
		}
		c.reply = base64.StdEncoding.AppendEncode(c.reply, c.request.Key)
		c.reply = append(c.reply, " b"...)
	}
}

// finish ends a reply that tells no more than the code and what was asked to
// be sent back.
func (c *conn) finish(code string, f *flags) {
	c.code(code)
	for _, word := range f.words {
		c.echo(word, f.has('b'))
	}
	c.send(nil)
}
