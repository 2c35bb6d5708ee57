package verbkeys

import (
	"bytes"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// Outcome is what became of a verb, in terms that the reply to a plain command
// has.
type Outcome uint8

const (
	// Refused: Line says why.
	Refused Outcome = iota
	// Stored, and NotStored: what a change came to. One of what does not exist
	// has stored nothing.
	Stored
	NotStored
	// Hit, and Missing: what a retrieval came to. Where several values might be
	// and there is none, that is missing.
	Hit
	Missing
)

// Answer is what a verb answered.
type Answer struct {
	Outcome Outcome
	Line    []byte // of Refused: an error without its line end
	Value   []byte // of Hit
	Item    verbs.Item
}

// Understand reads the answer of a verb: members with a space between, a
// number, or 1 or 0. The events of a log come each as
//
//	<when> <flags> <bytes>\n<data>\n
//
// without the carriage returns that the stored form has, as there are clients
// that take any line end in a value for the end of it. What Understand returns
// may point into text.
func Understand(verb *verbs.Verb, text []byte, item verbs.Item) Answer {
	line, _, _ := bytes.Cut(text, []byte("\r\n"))
	word, _ := protocol.NextWord(line)
	switch string(word) {
	case "STORED":
		return Answer{Outcome: Stored}
	case "NOT_STORED":
		return Answer{Outcome: NotStored}
	case "NOT_FOUND":
		if verb.Carry.Value != verbs.NoValue {
			return Answer{Outcome: NotStored}
		}
		return Answer{Outcome: Missing}
	case "END":
		return Answer{Outcome: Missing}
	case "ERROR", "CLIENT_ERROR", "SERVER_ERROR":
		return Answer{Line: line}
	case "VALUE":
		return Answer{Outcome: Hit, Value: values(verb, text), Item: item}
	}
	return Answer{Outcome: Hit, Value: line, Item: item}
}

// values returns the value of the answer, or a line and the data for each of several.
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

// appendEvent writes an event. Its value is VALUE <log> <flags> <bytes> <when>.
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
