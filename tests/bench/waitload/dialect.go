//go:build linux

package waitload

import (
	"bytes"
	"fmt"
	"strconv"
)

// Dialect is how a server is spoken to.
type Dialect interface {
	// enter returns what a client sends first, and how many answers there are to that.
	enter(list int) (request string, answers int)
	// wait returns the request for an element, which waits for so many milliseconds.
	wait(list, ms int) string
	push(list int, element string) string
	// next parses the first answer of what came, and returns how long it is. If it is not complete, it has no kind.
	next(came []byte) (a answer, length int, err error)
}

// answer is an answer of a server.
type answer struct {
	kind    kind
	element []byte // that was delivered; valid as long as what came is
	thanks  string // what the client sends then, before it asks for the next
}

// kind says what an answer means.
type kind uint8

const (
	incomplete kind = iota
	noted           // nothing follows from it
	pushed          // an element is in its list
	delivered       // the client has an element
	timedOut        // there was none
)

var lineEnd = []byte("\r\n")

// block returns the data of so many bytes after a line, and the length of both and what must follow. The length is 0 if
// they have not come yet.
func block(came, line []byte, size, end string) (data []byte, length int, err error) {
	n, err := strconv.Atoi(size)
	if err != nil || n < 0 {
		return nil, 0, fmt.Errorf("%q has no length", line)
	}
	from := len(line) + len(lineEnd)
	until := from + n
	if length = until + len(end); len(came) < length {
		return nil, 0, nil
	}
	if string(came[until:length]) != end {
		return nil, 0, fmt.Errorf("after the data of %q comes %q", line, came[until:length])
	}
	return came[from:until], length, nil
}

// unexpected is the error about a line that is no answer to what was sent.
func unexpected(line []byte) error { return fmt.Errorf("unexpected answer %q", line) }

// cutLine returns the first line of what came, and false if it is not complete.
func cutLine(came []byte) (line []byte, ok bool) {
	line, _, ok = bytes.Cut(came, lineEnd)
	return line, ok
}
