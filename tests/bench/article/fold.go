package article

import (
	"fmt"
	"strings"
)

// Members is a set that has been read.
type Members = map[string]struct{}

// fold replays a log. garbage is the number of tokens it could do without.
func fold(log string) (members Members, garbage int, err error) {
	tokens := 0
	members = make(Members, strings.Count(log, "+"))
	for token := range strings.FieldsSeq(log) {
		tokens++
		switch token[0] {
		case '+':
			members[token[1:]] = struct{}{}
		case '-':
			delete(members, token[1:])
		default:
			return nil, 0, fmt.Errorf("not the log of a set: %.20q", token)
		}
	}
	return members, tokens - len(members), nil
}

// encode returns a log of changes of one kind, '+' or '-'.
func encode(sign byte, members []string) []byte {
	var log []byte
	for _, member := range members {
		log = appendToken(log, sign, member)
	}
	return log
}

// compacted returns the shortest log of a set.
func compacted(members Members) []byte {
	var log []byte
	for member := range members {
		log = appendToken(log, '+', member)
	}
	return log
}

func appendToken(log []byte, sign byte, member string) []byte {
	return append(append(append(log, sign), member...), ' ')
}
