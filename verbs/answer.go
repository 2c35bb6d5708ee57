package verbs

import (
	"fmt"
	"slices"
	"strconv"
)

// MaxAnswer is the longest answer of a call, in bytes.
const MaxAnswer = 32 << 20

// Say answers the client with one line.
func (c *Call) Say(line string) {
	c.Answer = append(append(c.Answer[:0], line...), "\r\n"...)
	c.Done()
}

// Sayf answers the client with one line.
func (c *Call) Sayf(format string, args ...any) {
	c.Say(fmt.Sprintf(format, args...))
}

// Fail tells the client why an operation failed.
func (c *Call) Fail(r Reply) { c.Say(r.Failure()) }

// SayOutcome answers the client with the line for the outcome of a change: done, missing if there was nothing to change,
// or why it failed.
func (c *Call) SayOutcome(r Reply, done, missing string) {
	switch r.Status {
	case Stored:
		c.Say(done)
	case Missing:
		c.Say(missing)
	default:
		c.Fail(r)
	}
}

// Answered reports whether the answer is complete.
func (c *Call) Answered() bool { return c.answer != unanswered }

// Done marks the answer as complete.
func (c *Call) Done() { c.answer = max(c.answer, answered) }

// End completes the answer with the line that ends a list.
func (c *Call) End() {
	c.Answer = append(c.Answer, "END\r\n"...)
	c.Done()
}

// Shown returns a key of the call as the client knows it: with the prefix that its route strips, and without what the pool adds.
func (c *Call) Shown(key []byte) []byte {
	key = c.Env.ClientKey(key)
	if len(c.Prefix) == 0 {
		return key
	}
	return slices.Concat(c.Prefix, key)
}

// Space appends a space to the answer, unless a line of it has just begun.
func (c *Call) Space() {
	if n := len(c.Answer); n > 0 && c.Answer[n-1] != '\n' {
		c.Answer = append(c.Answer, ' ')
	}
}

// BeginValue appends the line of a value of size bytes, of the structure with that key, to the
// answer, and makes room for all that has to follow: the value, the end of its line, and END.
func (c *Call) BeginValue(p *Pace, key []byte, size int) {
	c.Answer = Grow(p, c.Answer, len("VALUE  0 33554432\r\n\r\nEND\r\n")+len(c.Prefix)+len(key)+size)
	c.Answer = append(append(c.Answer, "VALUE "...), c.Prefix...)
	c.Answer = append(append(c.Answer, c.Env.ClientKey(key)...), " 0 "...)
	c.Answer = strconv.AppendInt(c.Answer, int64(size), 10)
	c.Answer = append(c.Answer, "\r\n"...)
}

// AppendItem appends one of several values to the answer: its name, flags and data, and more, which
// follows the length in its line unless it is empty:
//
//	VALUE <name> <flags> <bytes>[ <more>]\r\n<data>\r\n
//
// If all values together are one value ([Call.Listed]), it appends this to it:
//
//	<name> <flags> <bytes>[ <more>]\n<data>\n
//
// Here lines have no carriage returns, because some clients mistake CR LF in a value for its end.
func (c *Call) AppendItem(name []byte, flags uint32, data, more []byte) {
	end := "\r\n"
	if c.Listed {
		end = c.BeginList()
	} else {
		c.Answer = append(c.Answer, "VALUE "...)
	}
	c.Answer = append(append(c.Answer, name...), ' ')
	c.Answer = append(strconv.AppendUint(c.Answer, uint64(flags), 10), ' ')
	c.Answer = strconv.AppendInt(c.Answer, int64(len(data)), 10)
	if len(more) > 0 {
		c.Answer = append(append(c.Answer, ' '), more...)
	}
	c.Answer = append(append(append(c.Answer, end...), data...), end...)
}

// BeginList begins an answer whose values together are one value, unless it has begun, and returns
// what ends lines and data in it.
func (c *Call) BeginList() (end string) {
	if len(c.Answer) == 0 {
		c.Answer = append(c.Answer, ListBegins...)
	}
	return "\n"
}

// ListBegins is the first line of an answer whose values are one value. That value follows, and
// then END.
const ListBegins = "VALUE\r\n"

// TooMuch refuses a call whose answer would be longer than [MaxAnswer].
var TooMuch = fmt.Sprintf("SERVER_ERROR the answer is longer than %d MB; ask for less at once", MaxAnswer>>20)

// TooLong reports whether more bytes would make the answer longer than [MaxAnswer]. If
// so, it answers with that error.
func (c *Call) TooLong(more int) bool {
	if len(c.Answer)+more <= MaxAnswer {
		return false
	}
	c.Say(TooMuch)
	return true
}
