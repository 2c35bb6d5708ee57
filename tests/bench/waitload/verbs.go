//go:build linux

package waitload

import (
	"bytes"
	"fmt"
)

// Verbs is the dialect of memverbs: rput, and lpop with a wait.
type Verbs struct{}

func (Verbs) enter(list int) (request string, answers int) {
	return fmt.Sprintf("lpop list%d\r\n", list), 1
}

func (Verbs) wait(list, ms int) string { return fmt.Sprintf("lpop list%d wait %d\r\n", list, ms) }

func (Verbs) push(list int, element string) string {
	return fmt.Sprintf("rput list%d 0 %d\r\n%s\r\n", list, len(element), element)
}

func (Verbs) next(came []byte) (a answer, length int, err error) {
	line, ok := cutLine(came)
	if !ok {
		return a, 0, nil
	}
	words := bytes.Fields(line)
	switch {
	case string(line) == "END":
		return answer{kind: timedOut}, len(line) + len(lineEnd), nil
	case string(line) == "STORED":
		return answer{kind: pushed}, len(line) + len(lineEnd), nil
	case len(words) >= 4 && string(words[0]) == "VALUE":
		if a.element, length, err = block(came, line, string(words[3]), "\r\nEND\r\n"); length == 0 {
			return a, 0, err
		}
		if a.kind = delivered; len(words) == 4 && len(a.element) == 0 { // no data, nor any words: the list is empty
			a.kind = timedOut
		}
		return a, length, nil
	}
	return a, 0, unexpected(line)
}
