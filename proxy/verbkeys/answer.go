package verbkeys

import (
	"bytes"
	"strconv"

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
	// NotStored, Missing and Exists: it was not, as something is there, nothing is there,
	// or what is there is not what was meant. A retrieval that finds nothing is Missing,
	// as is a list without values.
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
	Flags   uint32 // likewise, of a value that is one item's
	Item    verbs.Item
}

// Understand parses the answer of a verb. The value is the members separated by spaces,
// a number, 1 or 0, or the data of a row. Each event of a log, or row of a table, becomes
//
//	<when> <flags> <bytes>\n<data>\n
//	<field> <flags> <bytes>\n<data>\n
//
// without the carriage returns of the stored form, because some clients take CR LF in a
// value for its end. The Answer may point into text.
func Understand(verb *verbs.Verb, text []byte, item verbs.Item) Answer {
	line, _, _ := bytes.Cut(text, []byte("\r\n"))
	word, _ := protocol.NextWord(line)
	switch string(word) {
	case "STORED", "DELETED":
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
		value, flags := values(verb, text)
		return Answer{Outcome: Hit, Value: value, Flags: flags, Item: item}
	}
	return Answer{Outcome: Hit, Value: line, Item: item}
}

// values returns the value of the answer and its flags; of a list, the lines and data of all
// values, and no flags.
func values(verb *verbs.Verb, text []byte) (value []byte, flags uint32) {
	var unit protocol.Reply
	var list []byte
	for {
		n, _, err := protocol.ParseReply(text, &unit)
		if err != nil || n == 0 || unit.Kind != protocol.ReplyValue {
			return list, 0
		}
		if !verb.Carry.Listed {
			n, _ := protocol.ParseUint(flagsOf(&unit))
			return unit.Data, uint32(n)
		}
		if list == nil {
			list = make([]byte, 0, len(text))
		}
		list = appendListed(list, &unit, verb.Carry.Keyed)
		text = text[n:]
	}
}

// flagsOf returns the flags of a value, whose line is VALUE <key> <flags> <bytes> and maybe
// more.
func flagsOf(unit *protocol.Reply) []byte {
	_, rest := protocol.NextWord(unit.Line)
	_, rest = protocol.NextWord(rest)
	flags, _ := protocol.NextWord(rest)
	return flags
}

// appendListed appends a value of a list: an event by its time, which is the last word of its
// line; or, if keyed is set, a row or a task by its key, and the words after the length.
func appendListed(dst []byte, unit *protocol.Reply, keyed bool) []byte {
	name, more := unit.Tail, []byte(nil)
	if keyed {
		name, more = unit.Key, unit.Tail
	}
	name, _ = protocol.NextWord(name)
	dst = append(append(dst, name...), ' ')
	dst = append(append(dst, flagsOf(unit)...), ' ')
	dst = strconv.AppendInt(dst, int64(len(unit.Data)), 10)
	for word := range bytes.FieldsSeq(more) {
		dst = append(append(dst, ' '), word...)
	}
	dst = append(append(dst, '\n'), unit.Data...)
	return append(dst, '\n')
}
