package rankings

import (
	"fmt"
	"iter"
	"math"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const (
	errMember = "CLIENT_ERROR bad member: a member is 1 to 250 bytes without white space or control characters"
	errNumber = "CLIENT_ERROR bad number: a score, or what is added to one, is a whole number from -9223372036854775808 to 9223372036854775807"
	errPlace  = "CLIENT_ERROR bad place: <offset> is how many members to skip, 0 or more, and <count> how many to answer with, -1 for all"
	errOption = "CLIENT_ERROR bad option: the only one is withscores"
)

// longestLife is how long an increment may count that expires, in seconds.
const longestLife = math.MaxInt32

var errSeconds = fmt.Sprintf("CLIENT_ERROR "+verbs.BadSeconds+"how long the increments count, 1 to %d", longestLife)

// readMembers reads <key> <member>+.
func readMembers(rest []byte, req *protocol.Request) int {
	return verbs.ReadWords(rest, req, protocol.MaxKey, errMember)
}

// readChange reads <key> <member>+ [noreply].
func readChange(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	return readMembers(rest, req)
}

// readPairs reads <key> (<number> <member>)+ [noreply].
func readPairs(rest []byte, req *protocol.Request) int {
	readChange(rest, req)
	checkPairs(req, req.Words, req.NumWords)
	return 0
}

// readExpiring reads <key> (<number> <member>)+ <seconds> [noreply].
func readExpiring(rest []byte, req *protocol.Request) int {
	if readChange(rest, req); req.Refusal != "" {
		return 0
	}
	words, last := cutLast(req.Words)
	checkPairs(req, words, req.NumWords-1)
	seconds, ok := protocol.ParseInt(last)
	if req.Refusal == "" && (!ok || seconds < 1 || seconds > longestLife) {
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

// cutLast splits the last word off words.
func cutLast(words []byte) (before, last []byte) {
	end := len(words)
	for end > 0 && words[end-1] == ' ' {
		end--
	}
	from := end
	for from > 0 && words[from-1] != ' ' {
		from--
	}
	return words[:from], words[from:end]
}

// readMember reads <key> <member>.
func readMember(rest []byte, req *protocol.Request) int {
	if readMembers(rest, req); req.Refusal == "" && req.NumWords != 1 {
		req.Refusal = verbs.Usage(req)
	}
	return 0
}

// readRange reads <key> <offset> <count> [withscores].
func readRange(rest []byte, req *protocol.Request) int {
	if verbs.ReadKey(rest, req, 2, 3); req.Refusal != "" {
		return 0
	}
	offset, count, option := rangeOf(req.Words)
	switch {
	case offset < 0, count < -1:
		req.Refusal = errPlace
	case len(option) > 0 && string(option) != withscores:
		req.Refusal = errOption
	}
	return 0
}

// withscores is the option to have the scores of a range too.
const withscores = "withscores"

// rangeOf returns the offset, the count and the option of a range, see [verbs.Page].
func rangeOf(words []byte) (offset, count int64, option []byte) {
	offset, count, words = verbs.Page(words)
	option, _ = protocol.NextWord(words)
	return offset, count, option
}
