//go:build linux

package waitload

import (
	"bytes"
	"fmt"
)

// Beanstalkd is the dialect of beanstalkd: put, and reserve-with-timeout, which knows seconds. A client deletes the job that
// it gets and waits for the next in one go.
type Beanstalkd struct{}

func (Beanstalkd) enter(list int) (request string, answers int) {
	return fmt.Sprintf("watch list%d\r\nignore default\r\n", list), 2
}

func (Beanstalkd) wait(_, ms int) string { return fmt.Sprintf("reserve-with-timeout %d\r\n", ms/1000) }

func (Beanstalkd) push(list int, element string) string {
	return fmt.Sprintf("use list%d\r\nput 0 0 60 %d\r\n%s\r\n", list, len(element), element)
}

func (Beanstalkd) next(came []byte) (a answer, length int, err error) {
	line, ok := cutLine(came)
	if !ok {
		return a, 0, nil
	}
	length = len(line) + len(lineEnd)
	words := bytes.Fields(line)
	if len(words) == 0 {
		return a, 0, unexpected(line)
	}
	switch string(words[0]) {
	case "WATCHING", "USING", "DELETED":
		return answer{kind: noted}, length, nil
	case "INSERTED":
		return answer{kind: pushed}, length, nil
	case "TIMED_OUT":
		return answer{kind: timedOut}, length, nil
	case "RESERVED":
		if len(words) != 3 {
			break
		}
		if a.element, length, err = block(came, line, string(words[2]), "\r\n"); length > 0 {
			a.kind, a.thanks = delivered, fmt.Sprintf("delete %s\r\n", words[1])
		}
		return a, length, err
	}
	return a, 0, unexpected(line)
}
