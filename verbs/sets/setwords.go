package sets

import (
	"fmt"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
)

var errSeconds = fmt.Sprintf("CLIENT_ERROR "+verbs.BadSeconds+"how long the members stay, 1 to %d", format.LongestLife)

// These functions parse the lines of the verbs, see [protocol.Verb.Read].

const (
	errSign  = "CLIENT_ERROR bad change: a member to add is written after a +, and one to remove after a -"
	errCount = "CLIENT_ERROR bad count: <count> is how many members, 1 or more"
)

// readSigned reads <key> (+<member>|-<member>)+ [noreply].
func readSigned(rest []byte, req *protocol.Request) int {
	protocol.CutNoreply(&rest, req)
	verbs.ReadWords(rest, req, len("+")+protocol.MaxKey, verbs.ErrMember)
	for word := range protocol.Words(req.Words) {
		if req.Refusal == "" && (len(word) < len("+m") || word[0] != '+' && word[0] != '-') {
			req.Refusal = errSign
		}
	}
	return 0
}

// readLasting reads <key> <member>+ <seconds> [noreply].
func readLasting(rest []byte, req *protocol.Request) int {
	if verbs.ReadMembersQuietly(rest, req); req.Refusal != "" {
		return 0
	}
	_, word := protocol.CutLastWord(req.Words)
	switch seconds, ok := protocol.ParseInt(word); {
	case req.NumWords < 2:
		req.Refusal = verbs.Usage(req)
	case !ok || seconds < 1 || seconds > format.LongestLife:
		req.Refusal = errSeconds
	}
	return 0
}

// keyList returns a function that parses at least least keys.
func keyList(least int) func(rest []byte, req *protocol.Request) int {
	return func(rest []byte, req *protocol.Request) int {
		req.Key, _ = protocol.NextWord(rest)
		n, plain := protocol.CountPlainWords(rest, protocol.MaxKey)
		req.Words, req.NumWords = rest, n
		switch {
		case n < least:
			req.Refusal = verbs.Usage(req)
		case !plain:
			req.Refusal = verbs.ErrKey
		}
		return 0
	}
}

// readCount reads <key> [<count>].
func readCount(rest []byte, req *protocol.Request) int { return verbs.ReadCount(rest, req, errCount) }
