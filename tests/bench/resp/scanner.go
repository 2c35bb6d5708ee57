package resp

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
)

// maxLine is how long a line of a reply may be, without its end.
const maxLine = 512

// Scanner reads replies, one after another. The zero Scanner is at the beginning
// of one.
type Scanner struct {
	kind    byte  // of the reply, 0 before its first line
	number  int64 // what its first line says
	strings int   // bulk strings so far

	pending int64         // replies that arrays promise yet
	skip    int64         // bytes of a bulk string, with CR LF, that are yet to come
	line    [maxLine]byte // a line of which the end has not come yet
	held    int           // how much of it
}

// Scan scans the next bytes of a reply. It returns how many of them belong to the
// reply, and whether the reply is complete; if so, the scanner is at the beginning of
// the next reply. It fails if the reply is an error, is not what is wanted, or is no
// reply at all; then the scanner can't be used any more.
func (s *Scanner) Scan(came []byte, want *Want) (n int, done bool, err error) {
	for n < len(came) {
		if s.skip > 0 {
			step := min(s.skip, int64(len(came)-n))
			n += int(step)
			s.skip -= step
		} else {
			used, err := s.readLine(came[n:])
			n += used
			if err != nil {
				return n, false, err
			}
		}
		if s.kind != 0 && s.pending == 0 && s.skip == 0 && s.held == 0 {
			err := want.check(s)
			s.kind, s.strings = 0, 0
			return n, true, err
		}
	}
	return n, false, nil
}

// readLine reads a line, or as much of it as there is.
func (s *Scanner) readLine(came []byte) (used int, err error) {
	end := bytes.IndexByte(came, '\n')
	line := came[:end+1]
	if end < 0 {
		line = came
	}
	if end < 0 || s.held > 0 {
		if s.held+len(line) > maxLine {
			return 0, errors.New("a line that does not end")
		}
		s.held += copy(s.line[s.held:], line)
		if end < 0 {
			return len(line), nil
		}
		used, line = len(line), s.line[:s.held]
		s.held = 0
		return used, s.begin(line)
	}
	return len(line), s.begin(line)
}

// begin reads the first line of a reply, or of one within an array.
func (s *Scanner) begin(line []byte) error {
	text, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok || len(text) == 0 {
		return fmt.Errorf("not a reply: %q", line)
	}
	var number int64
	switch kind := text[0]; kind {
	case '+':
	case '-':
		return fmt.Errorf("refused: %s", text[1:])
	case ':', '$', '*':
		var err error
		if number, err = strconv.ParseInt(string(text[1:]), 10, 64); err != nil {
			return fmt.Errorf("not a reply: %q", line)
		}
	default:
		return fmt.Errorf("not a reply: %q", line)
	}
	return s.count(text[0], number)
}

// count counts a reply and what it promises.
func (s *Scanner) count(kind byte, number int64) error {
	if s.kind == 0 {
		s.kind, s.number = kind, number
	} else {
		s.pending--
	}
	if (kind == '$' || kind == '*') && (number < 0 || number > maxLength) {
		return fmt.Errorf("a reply of length %d", number)
	}
	switch kind {
	case '$':
		s.strings++
		s.skip = number + int64(len("\r\n"))
	case '*':
		s.pending += number
	}
	return nil
}

// maxLength is the length of the longest bulk string, and longer than any array.
const maxLength = 512 << 20
