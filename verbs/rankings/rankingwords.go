package rankings

import (
	"fmt"
	"iter"
	"math"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const (
	errNumber = "CLIENT_ERROR bad number: a score, or what is added to one, is a whole number from -9223372036854775808 to 9223372036854775807, and comes before its member"
	errPlace  = "CLIENT_ERROR bad place: <offset> is how many members to skip, 0 or more, and <count> how many to answer with, -1 for all"
	errBound  = "CLIENT_ERROR bad bound: <min> and <max> are whole numbers from -9223372036854775808 to 9223372036854775807, or - and + for no bound; both are included"
	errAround = "CLIENT_ERROR bad number: <n> is how many members before and after the member, 0 or more"
	errCount  = "CLIENT_ERROR bad count: <count> is how many members, 1 or more"
	errKeep   = "CLIENT_ERROR bad number: <n> is how many of the highest members to keep, or, if it is negative, of the lowest"
	errOption = "CLIENT_ERROR bad option: the only one is withscores"
)

var errSeconds = fmt.Sprintf("CLIENT_ERROR "+verbs.BadSeconds+"how long the increments count, 1 to %d", format.LongestLife)

// readPairs reads <key> (<number> <member>)+ [noreply].
func readPairs(rest []byte, req *protocol.Request) int {
	verbs.ReadMembersQuietly(rest, req)
	checkPairs(req, req.Words, req.NumWords)
	return 0
}

// readExpiring reads <key> (<number> <member>)+ <seconds> [noreply].
func readExpiring(rest []byte, req *protocol.Request) int {
	if verbs.ReadMembersQuietly(rest, req); req.Refusal != "" {
		return 0
	}
	words, last := protocol.CutLastWord(req.Words)
	checkPairs(req, words, req.NumWords-1)
	seconds, ok := protocol.ParseInt(last)
	if req.Refusal == "" && (!ok || seconds < 1 || seconds > format.LongestLife) {
		req.Refusal = errSeconds
	}
	return 0
}

// checkPairs refuses n words that are not pairs of a number and a member.
func checkPairs(req *protocol.Request, words []byte, n int) {
	if req.Refusal == "" && (n == 0 || n%2 != 0) {
		req.Refusal = verbs.Usage(req)
	}
	for req.Refusal == "" && len(words) > 0 {
		var number []byte
		number, words = protocol.NextWord(words)
		if _, ok := protocol.ParseInt(number); !ok && len(number) > 0 {
			req.Refusal = errNumber
		}
		_, words = protocol.NextWord(words)
	}
}

// pairs yields the numbers and members of words that are such pairs.
func pairs(words []byte) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		for {
			var number, member []byte
			number, words = protocol.NextWord(words)
			member, words = protocol.NextWord(words)
			n, _ := protocol.ParseInt(number)
			if len(member) == 0 || !yield(n, member) {
				return
			}
		}
	}
}

// readMember reads <key> <member>.
func readMember(rest []byte, req *protocol.Request) int {
	if verbs.ReadMembers(rest, req); req.Refusal == "" && req.NumWords != 1 {
		req.Refusal = verbs.Usage(req)
	}
	return 0
}

// readBounds reads <key> <min> <max>.
func readBounds(rest []byte, req *protocol.Request) int {
	verbs.ReadKey(rest, req, 2, 2)
	checkBounds(req)
	return 0
}

// readByScore reads <key> <min> <max> [<offset> <count>] [withscores].
func readByScore(rest []byte, req *protocol.Request) int {
	verbs.ReadKey(rest, req, 2, 5)
	if checkBounds(req); req.Refusal == "" {
		_, _, rest, _ := boundsOf(req.Words)
		first, others := protocol.NextWord(rest)
		if _, isNumber := protocol.ParseInt(first); isNumber && protocol.CountWords(others) == 0 {
			req.Refusal = verbs.Usage(req) // an offset without a count
		} else {
			checkPage(req, rest)
		}
	}
	return 0
}

// checkBounds refuses words that do not begin with two bounds of scores.
func checkBounds(req *protocol.Request) {
	if _, _, _, ok := boundsOf(req.Words); req.Refusal == "" && !ok {
		req.Refusal = errBound
	}
}

// readAround reads <key> <member> <n> [withscores].
func readAround(rest []byte, req *protocol.Request) int {
	if verbs.ReadKey(rest, req, 2, 3); req.Refusal != "" {
		return 0
	}
	member, rest := protocol.NextWord(req.Words)
	word, rest := protocol.NextWord(rest)
	option, _ := protocol.NextWord(rest)
	switch n, ok := protocol.ParseInt(word); {
	case !protocol.PlainWord(member):
		req.Refusal = verbs.ErrMember
	case !ok, n < 0:
		req.Refusal = errAround
	default:
		checkOption(req, option)
	}
	return 0
}

// readCount reads <key> [<count>].
func readCount(rest []byte, req *protocol.Request) int { return verbs.ReadCount(rest, req, errCount) }

// readTrim reads <key> <n> [noreply].
func readTrim(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	verbs.ReadKey(rest, req, 1, 1)
	word, _ := protocol.NextWord(req.Words)
	if _, ok := protocol.ParseInt(word); req.Refusal == "" && !ok {
		req.Refusal = errKeep
	}
	return 0
}

// readRange reads <key> <offset> <count> [withscores].
func readRange(rest []byte, req *protocol.Request) int {
	if verbs.ReadKey(rest, req, 2, 3); req.Refusal != "" {
		return 0
	}
	checkPage(req, req.Words)
	return 0
}

// checkPage refuses the words of a page with a wrong offset, count or option.
func checkPage(req *protocol.Request, words []byte) {
	offset, count, option := pageOf(words)
	if offset < 0 || count < -1 {
		req.Refusal = errPlace
		return
	}
	checkOption(req, option)
}

func checkOption(req *protocol.Request, option []byte) {
	if len(option) > 0 && string(option) != withscores {
		req.Refusal = errOption
	}
}

// withscores is the option to have the scores of a range too.
const withscores = "withscores"

// rangeOf returns the offset, the count and the option of a range, see [verbs.Page].
func rangeOf(words []byte) (offset, count int64, option []byte) {
	offset, count, words = verbs.Page(words)
	option, _ = protocol.NextWord(words)
	return offset, count, option
}

// boundsOf returns the scores from which to which a request asks, in either order, and the words that follow
// them.
func boundsOf(words []byte) (min, max int64, rest []byte, ok bool) {
	first, rest := protocol.NextWord(words)
	second, rest := protocol.NextWord(rest)
	a, okay := bound(first)
	b, fine := bound(second)
	return a, b, rest, okay && fine
}

// bound parses a bound of scores: a number, or - or + for none.
func bound(word []byte) (score int64, ok bool) {
	switch string(word) {
	case "-":
		return math.MinInt64, true
	case "+":
		return math.MaxInt64, true
	}
	return protocol.ParseInt(word)
}

// pageOf returns the offset, the count and the option in the words after bounds: all members if there are no
// numbers.
func pageOf(words []byte) (offset, count int64, option []byte) {
	if protocol.CountWords(words) < 2 {
		option, _ = protocol.NextWord(words)
		return 0, -1, option
	}
	return rangeOf(words)
}
