package verbkeys

import (
	"bytes"
	"slices"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// problem is what is wrong with a key.
type problem uint8

const (
	fine problem = iota
	wrongVerb
	noPart
	wrongOrder
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
	subject, wait := cutWait(subject, named)
	subject, words, ok := k.cutWords(subject, named.Carry, len(wait) > 0)
	switch {
	case len(subject) == 0, !ok:
		return nil, noPart
	case (len(wait) > 0 || len(words) > 0) && endsInOption(subject, named):
		return nil, wrongOrder
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
	if carry := named.Carry; carry.By != by && carry.Asks != "" {
		k.line = append(append(k.line, ' '), carry.Asks...)
	}
	if len(wait) > 0 {
		k.line = append(append(append(k.line, " "+verbs.WaitWord...), ' '), wait...)
	}
	return named, fine
}

// cutWait cuts off the end of subject for how long the verb is to wait, if that is there: the word and what [looksNumeric].
func cutWait(subject []byte, named *verbs.Verb) (rest, ms []byte) {
	if !named.Waits {
		return subject, nil
	}
	return cutNumber(subject, verbs.WaitWord)
}

// cutNumber cuts a word and its number off the end of subject, if they are there.
func cutNumber(subject []byte, word string) (rest, number []byte) {
	if slash := bytes.LastIndexByte(subject, '/'); slash >= 0 {
		before, found := bytes.CutSuffix(subject[:slash], []byte("/"+word))
		if number = subject[slash+1:]; found && looksNumeric(number) {
			return before, number
		}
	}
	return subject, nil
}

// endsInOption reports whether what is left for the name ends in a word of the verb that takes a number (wait, most, more), with
// its number or without. If other parts follow, the client has mixed up their order: taken as a name, it would be that of
// something which is not there, and the answer a miss for ever.
func endsInOption(name []byte, named *verbs.Verb) bool {
	word := name[bytes.LastIndexByte(name, '/')+1:]
	if _, isNumber := protocol.ParseInt(word); isNumber {
		name = name[:max(0, len(name)-len(word)-1)]
		word = name[bytes.LastIndexByte(name, '/')+1:]
	}
	return len(word) < len(name) && (named.Waits && string(word) == verbs.WaitWord || slices.Contains(named.Carry.Named, string(word)))
}

// looksNumeric reports whether a part of a key, after a word that has a number, is one or is meant to be one: 5000.0 and
// 5s are, which the verb then refuses. As a part of the name they would ask for something else that is not there, without
// a word, again and again.
func looksNumeric(part []byte) bool {
	_, isNumber := protocol.ParseInt(part)
	return isNumber || len(part) > 0 && part[0] >= '0' && part[0] <= '9'
}

// keptLine is how many bytes of scratch are kept for the next translation.
const keptLine = 64 << 10

// cutWords cuts the words off the end of subject and returns them in order. It returns
// false if there are too few. waits says that the verb is to wait.
func (k *Keys) cutWords(subject []byte, carry *verbs.Carry, waits bool) (rest []byte, words [][]byte, ok bool) {
	if carry.Split {
		subject, k.parts = cutAll(subject, k.parts[:0])
		return subject, k.parts, len(k.parts) >= carry.Words
	}
	subject, words = cutOptional(subject, k.parts[:0], carry)
	times := carry.Times
	switch {
	case carry.Before != "":
		times = 0
	case waits:
		times = min(times, 1)
	}
	least := len(words) + carry.Words
	for len(words) < least+times {
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

// cutAll cuts all parts but the first off subject and appends them to words.
func cutAll(subject []byte, words [][]byte) ([]byte, [][]byte) {
	first, rest, more := bytes.Cut(subject, []byte{'/'})
	for more {
		var word []byte
		word, rest, more = bytes.Cut(rest, []byte{'/'})
		words = append(words, word)
	}
	return first, words
}

// cutOptional cuts what a key need not have, but for times, off the end of subject and appends it to words, the last first.
func cutOptional(subject []byte, words [][]byte, carry *verbs.Carry) ([]byte, [][]byte) {
	subject, words = cutNamed(subject, words, carry.Named)
	subject, words = cutOption(subject, words, carry.Option)
	if carry.Before != "" {
		subject, words = cutNumbers(subject, words, carry)
	}
	return subject, words
}

// cutNumbers cuts the numbers of carry, and the part Before them, off the end of subject and appends
// them to words, the last first, if all of these are there.
func cutNumbers(subject []byte, words [][]byte, carry *verbs.Carry) ([]byte, [][]byte) {
	rest, numbers := subject, words
	for range carry.Times {
		slash := bytes.LastIndexByte(rest, '/')
		if slash < 0 {
			return subject, words
		}
		if !looksNumeric(rest[slash+1:]) {
			return subject, words
		}
		rest, numbers = rest[:slash], append(numbers, rest[slash+1:])
	}
	rest, found := bytes.CutSuffix(rest, []byte(carry.Before))
	if rest, slashed := bytes.CutSuffix(rest, []byte{'/'}); found && slashed {
		return rest, numbers
	}
	return subject, words
}

// cutNamed cuts the named words, each with the number after it, off the end of subject and appends them to words, the last
// first.
func cutNamed(subject []byte, words [][]byte, named []string) ([]byte, [][]byte) {
	for _, name := range slices.Backward(named) {
		before, number := cutNumber(subject, name)
		if number != nil {
			words = append(words, number, subject[len(before)+1:][:len(name)])
		}
		subject = before
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
