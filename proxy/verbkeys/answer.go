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
	Item    verbs.Item
}

// Understand parses the answer of a verb. The value is the members separated by spaces,
// a number, or 1 or 0. Each event of a log becomes
//
//	<when> <flags> <bytes>\n<data>\n
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
		return Answer{Outcome: Hit, Value: values(verb, text), Item: item}
	}
	return Answer{Outcome: Hit, Value: line, Item: item}
}

// values returns the value of the answer; of a list, the lines and data of all values.
func values(verb *verbs.Verb, text []byte) []byte {
	var unit protocol.Reply
	var events []byte
	for {
		n, _, err := protocol.ParseReply(text, &unit)
		if err != nil || n == 0 || unit.Kind != protocol.ReplyValue {
			return events
		}
		if !verb.Carry.Listed {
			return unit.Data
		}
		if events == nil {
			events = make([]byte, 0, len(text))
		}
		events = appendEvent(events, &unit)
		text = text[n:]
	}
}

// appendEvent appends an event, whose line is VALUE <log> <flags> <bytes> <when>.
func appendEvent(dst []byte, unit *protocol.Reply) []byte {
	_, rest := protocol.NextWord(unit.Line)
	_, rest = protocol.NextWord(rest)
	flags, rest := protocol.NextWord(rest)
	_, rest = protocol.NextWord(rest)
	when, _ := protocol.NextWord(rest)
	dst = append(append(dst, when...), ' ')
	dst = append(append(dst, flags...), ' ')
	dst = strconv.AppendInt(dst, int64(len(unit.Data)), 10)
	dst = append(append(dst, '\n'), unit.Data...)
	return append(dst, '\n')
}
