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
	c.answered = true
}

// Sayf answers the client with one line.
func (c *Call) Sayf(format string, args ...any) {
	c.Say(fmt.Sprintf(format, args...))
}

// Fail tells the client why an operation failed.
func (c *Call) Fail(r Reply) {
	if r.Err == "" {
		r.Err = "SERVER_ERROR unexpected answer from the upstream"
	}
	c.Say(r.Err)
}

// Answered reports whether the answer is complete.
func (c *Call) Answered() bool { return c.answered }

// Done marks the answer as complete.
func (c *Call) Done() { c.answered = true }

// End completes the answer with the line that ends a list.
func (c *Call) End() {
	c.Answer = append(c.Answer, "END\r\n"...)
	c.Done()
}

// Shown returns a key of the call as the client knows it.
func (c *Call) Shown(key []byte) []byte {
	if len(c.Prefix) == 0 {
		return key
	}
	return slices.Concat(c.Prefix, key)
}

// BeginValue appends the line of a value of size bytes, of the structure with that key, to the
// answer, and makes room for all that has to follow: the value, the end of its line, and END.
func (c *Call) BeginValue(p *Pace, key []byte, size int) {
	c.Answer = Grow(p, c.Answer, len("VALUE  0 33554432\r\n\r\nEND\r\n")+len(c.Prefix)+len(key)+size)
	c.Answer = append(append(c.Answer, "VALUE "...), c.Prefix...)
	c.endLine(key, size)
}

// BeginNamed is BeginValue for a value whose name is no key, and makes no room.
func (c *Call) BeginNamed(name []byte, size int) {
	c.Answer = append(c.Answer, "VALUE "...)
	c.endLine(name, size)
}

// endLine appends the rest of the line of a value.
func (c *Call) endLine(name []byte, size int) {
	c.Answer = append(c.Answer, name...)
	c.Answer = append(c.Answer, " 0 "...)
	c.Answer = strconv.AppendInt(c.Answer, int64(size), 10)
	c.Answer = append(c.Answer, "\r\n"...)
}

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
