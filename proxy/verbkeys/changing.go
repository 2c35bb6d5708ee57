package verbkeys

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// change translates a request other than a retrieval. The line already has the words from the key.
// now is in seconds since 1970.
func (k *Keys) change(named *verbs.Verb, req, verb *protocol.Request, now int64) (refusal string) {
	flags, exptime := arguments(req)
	switch named.Carry.Value {
	case verbs.WordsValue:
		if refusal = k.addWords(named, req, verbs.TTL(exptime, now)); refusal != "" {
			return refusal
		}
	case verbs.DataValue:
		k.addNumber(int64(flags))
	}
	switch {
	case named.Carry.By == protocol.Incr, named.Carry.By == protocol.Decr:
		k.addDelta(named.Carry, req)
	case named.Carry.Exptime && named.Carry.ValueFirst: // addWords has added it
	case named.Carry.Exptime && named.Carry.Value == verbs.DataValue:
		k.addNumber(exptime)
	case named.Carry.Exptime:
		k.addNumber(verbs.TTL(exptime, now))
	case named.Carry.Time:
		k.addNumber(0)
	}
	if named.Block {
		k.addNumber(int64(len(req.Data)))
	}
	k.line = append(k.line, " noreply"...) // so that no other word can be taken for the option
	if refusal = k.read(named, req.Key, verb); refusal != "" {
		return refused(named, req, verb, exptime, refusal)
	}
	verb.Quiet = req.Quiet
	if named.Block {
		verb.Data = req.Data
	}
	if !named.Carry.Exptime {
		verb.Exptime = exptime
	}
	return ""
}

// refused returns a verb's refusal in terms of req, which carries the verb and has an exptime.
func refused(named *verbs.Verb, req, verb *protocol.Request, exptime int64, refusal string) string {
	switch carry := named.Carry; {
	case carry.Value == verbs.WordsValue && verb.Refusal == verbs.Usage(verb):
		return wordsExpected(named, req.Key, "wrong number of words")
	case carry.Exptime && strings.Contains(refusal, verbs.BadSeconds):
		return fmt.Sprintf("%s; give it as exptime, which was %d", refusal, exptime)
	}
	return refusal
}

// arguments returns the flags and the exptime of a request, 0 if it has none.
func arguments(req *protocol.Request) (flags uint32, exptime int64) {
	if !req.Command.Meta() {
		return req.Flags, req.Exptime
	}
	for flag := range req.MetaFlags() {
		switch value := flag[1:]; flag[0] {
		case 'F':
			n, _ := protocol.ParseUint(value)
			flags = uint32(n)
		case 'T', 'N':
			exptime, _ = protocol.ParseInt(value)
		}
	}
	return flags, exptime
}

// delta returns by how much an incr, decr or ma counts: by 1 if an ma does not say it.
func delta(req *protocol.Request) uint64 {
	switch {
	case !req.Command.Meta():
		return req.Number
	case !req.HasFlag('D'):
		return 1
	}
	n, _ := protocol.ParseUint(req.MetaFlag('D'))
	return n
}

// addDelta adds by how much a request counts, and from what number if the verb can use that.
func (k *Keys) addDelta(carry *verbs.Carry, req *protocol.Request) {
	number := []byte{' '}
	if carry.Down && carrier(req) == protocol.Decr {
		number = append(number, '-')
	}
	at := len(k.line)
	if carry.ValueFirst {
		at = k.first
	}
	k.line = slices.Insert(k.line, at, strconv.AppendUint(number, delta(req), 10)...)
	if carry.Initial && req.Command.Meta() && req.HasFlag('N') { // else it creates nothing
		n, _ := protocol.ParseUint(req.MetaFlag('J'))
		k.line = strconv.AppendUint(append(k.line, ' '), n, 10)
	}
}

func (k *Keys) addNumber(n int64) { k.line = strconv.AppendInt(append(k.line, ' '), n, 10) }

// addWords adds the words in the value of req, which the verb takes: white space of any kind separates them. ttl is its exptime
// in seconds from now.
func (k *Keys) addWords(named *verbs.Verb, req *protocol.Request, ttl int64) (refusal string) {
	flags, _ := arguments(req)
	if by := encoding(flags, req.Data); by != "" {
		return fmt.Sprintf("CLIENT_ERROR the value for %s is not plain text but %s, by its flags (%d) and its bytes: have the client send a string as it is",
			shown(req.Key), by, flags)
	}
	at := len(k.line)
	if named.Carry.ValueFirst {
		at = k.first
	}
	after := slices.Clone(k.line[at:])
	k.line = k.line[:at]
	words := 0
	for word := range bytes.FieldsFuncSeq(req.Data, isSpace) {
		if words++; !protocol.PlainWord(word) {
			return fmt.Sprintf("CLIENT_ERROR word %d in the value for %s is not 1 to %d bytes without control characters; words are plain text, neither serialized nor compressed",
				words, shown(req.Key), protocol.MaxKey)
		}
		k.line = append(append(k.line, ' '), word...)
	}
	if named.Carry.ValueFirst && named.Carry.Exptime {
		k.addNumber(ttl)
	}
	k.line = append(k.line, after...)
	switch {
	case words == 0:
		return wordsExpected(named, req.Key, "no word")
	case words > 1 && (named.Carry.Single || named.Carry.ValueFirst && named.Carry.Exptime):
		return wordsExpected(named, req.Key, "wrong number of words")
	}
	return ""
}

func isSpace(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' }
