package verbkeys

import (
	"bytes"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Outcome is the outcome of a verb.
type Outcome uint8

const (
	// Refused: Line says why.
	Refused Outcome = iota
	// Done: the change was made.
	Done
	// NotStored, Missing and Exists: the change was not made, because something is there, because
	// nothing is there, or because what is there is not what was meant. A retrieval that finds
	// nothing is Missing, as is a list without values.
	NotStored
	Missing
	Exists
	// Hit: Value is the answer.
	Hit
	numOutcomes
)

// Answer is a verb's parsed answer.
type Answer struct {
	Outcome Outcome
	Line    []byte // of Refused: an error without its line end
	Value   []byte // of Hit
	Flags   uint32 // of Hit, if the value is that of one item
	Item    verbs.Item

	number func(answer []byte) uint64 // of Hit, see [verbs.Carry.Number]
}

// Understand parses the answer of a verb. The value is the members separated by spaces,
// a number, 1 or 0, the data of a row, or a list, see [verbs.Call.AppendItem]. If a verb that
// removes words has removed none, the outcome is Missing, so that a client that pops until nothing
// is left need not distinguish an empty structure from a missing one. The Answer may point into
// text.
func Understand(verb *verbs.Verb, text []byte, item verbs.Item) Answer {
	line, _, _ := bytes.Cut(text, []byte("\r\n"))
	word, _ := protocol.NextWord(line)
	switch string(word) {
	case "STORED", "DELETED", "OK":
		return Answer{Outcome: Done}
	case "NOT_STORED":
		return Answer{Outcome: NotStored}
	case "NOT_FOUND", "END":
		return Answer{Outcome: Missing}
	case "EXISTS":
		return Answer{Outcome: Exists}
	case "ERROR", "CLIENT_ERROR", "SERVER_ERROR":
		return Answer{Line: line}
	case "VALUE":
		value, flags := valueOf(text)
		if verb.Removes && len(value) == 0 && protocol.CountWords(line) == wordsOfValueLine {
			return Answer{Outcome: Missing}
		}
		return Answer{Outcome: Hit, Value: value, Flags: flags, Item: item}
	}
	answer := Answer{Outcome: Hit, Value: line, Item: item}
	switch {
	case verb.Carry == nil:
	case verb.Carry.Single:
		return Answer{Outcome: added(line)}
	default:
		answer.number = verb.Carry.Number
	}
	return answer
}

// added returns the outcome of a verb that answers with how many words it has added.
func added(count []byte) Outcome {
	if string(count) == "0" {
		return NotStored
	}
	return Done
}

// wordsOfValueLine is how many words precede words as a value: VALUE <key> <flags> <bytes>.
const wordsOfValueLine = 4

// valueOf returns the value of the answer and its flags. If the answer is a list, the value is the
// whole list, without flags.
func valueOf(text []byte) (value []byte, flags uint32) {
	if list, ok := bytes.CutPrefix(text, []byte(verbs.ListBegins)); ok {
		return bytes.TrimSuffix(list, []byte("END\r\n")), 0
	}
	var unit protocol.Reply
	if n, _, err := protocol.ParseReply(text, &unit); err != nil || n == 0 {
		return nil, 0
	}
	n, _ := protocol.ParseUint(unit.Flags())
	return unit.Data, uint32(n)
}
