package rankings

import (
	"bytes"
	"strconv"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// letter begins all tokens of rankings.
const letter = 'z'

// The signs of tokens.
const (
	signSet    = '='
	signAdd    = '+'
	signExpire = '~'
	signRemove = '-'
	signRaise  = '(' // see clamp.go
	signLower  = ')'

	signOrder = '>' // see orders.go
	signTold  = '<'
)

// shortestToken is the length of the shortest token that concerns a member.
const shortestToken = len("z-m")

// widestNumber is the length of the longest score.
const widestNumber = len("-9223372036854775808")

// appendToken appends a token that concerns a member to dst.
func appendToken(dst []byte, sign byte, n int64, member []byte) []byte {
	dst = strconv.AppendInt(append(dst, letter, sign), n, 10)
	return appendMember(dst, member)
}

// appendMember appends the end of a token to dst.
func appendMember(dst, member []byte) []byte {
	return append(append(append(dst, ':'), member...), ' ')
}

// appendRemoval appends the token that removes a member to dst.
func appendRemoval(dst, member []byte) []byte {
	return append(append(append(dst, letter, signRemove), member...), ' ')
}

// appendUntil appends to dst how much an increment adds, and until when.
func appendUntil(dst []byte, n, until int64) []byte {
	return strconv.AppendInt(append(strconv.AppendInt(dst, n, 10), '@'), until, 10)
}

// cutMember splits a token, without its letter and sign, into what comes before the member and
// the member.
func cutMember(text []byte) (before, member []byte, ok bool) {
	before, member, _ = bytes.Cut(text, []byte{':'})
	return before, member, len(member) > 0
}

// cutNumber splits a token, without its letter and sign, into a number and a member.
func cutNumber(text []byte) (n int64, member []byte, ok bool) {
	number, member, ok := cutMember(text)
	n, isNumber := protocol.ParseInt(number)
	return n, member, ok && isNumber
}

// parseIncrement parses an increment that expires: how much it adds, and until when, in seconds
// since 1970.
func parseIncrement(text []byte) (n, until int64, ok bool) {
	number, time, _ := bytes.Cut(text, []byte{'@'})
	n, isNumber := protocol.ParseInt(number)
	until, isTime := protocol.ParseInt(time)
	return n, until, isNumber && isTime && until >= 0 && until <= format.LatestUntil
}

// eachPart calls do for each of the parts of a token that are separated by semicolons, until do
// returns false. It returns false then, and if the last part is empty. There may be millions.
func eachPart(p *verbs.Pace, text []byte, do func(part []byte) bool) bool {
	start, ok := 0, len(text) > 0 && text[len(text)-1] != ';'
	p.InSteps(len(text), p.LookupBytes(), func(_, to int) {
		for ok && start < to {
			part, _, _ := bytes.Cut(text[start:], []byte{';'})
			start += len(part) + 1
			ok = do(part)
		}
	})
	return ok
}
