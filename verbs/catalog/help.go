package catalog

import (
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// help answers with the usage of all verbs, or with the usage of one and what it does.
var help = verbs.Verb{
	Verb:  protocol.Verb{Name: "help", Usage: "[<verb>]", Read: readVerb},
	Does:  "lists all verbs, or tells of one",
	Local: true,
}

func init() { // as help is one of the verbs
	help.Run = func(c *verbs.Call) (done verbs.Step) {
		c.Answer = append(c.Answer, Help(c.Words, func(*verbs.Verb) bool { return true })...)
		c.Done()
		return done
	}
}

// Help returns the answer to help for the verb that word names, with what it does, or for all if word
// is empty. It leaves out verbs for which allowed returns false.
func Help(word []byte, allowed func(*verbs.Verb) bool) string {
	var b strings.Builder
	for _, v := range All {
		if (len(word) == 0 || string(word) == v.Name) && allowed(v) {
			b.WriteString(v.String() + "\r\n")
			if len(word) > 0 {
				b.WriteString(v.Does + "\r\n")
			}
		}
	}
	lower := strings.ToLower(string(word))
	switch v := Known[string(word)]; {
	case b.Len() > 0:
	case v != nil:
		return fmt.Sprintf("CLIENT_ERROR %s is not allowed here, by a setting of the pool\r\n", v.Name)
	case Known[lower] != nil:
		return fmt.Sprintf("CLIENT_ERROR verbs are written in lower case: %s\r\n", lower)
	default:
		return errUnknown + "\r\n"
	}
	b.WriteString("END\r\n")
	return b.String()
}

const errUnknown = "CLIENT_ERROR there is no such verb; help alone lists all, verbs/README.md has what is here for Redis's, and memcached's own are as in its documentation"

// readVerb reads [<verb>].
func readVerb(rest []byte, req *protocol.Request) int {
	word, rest := protocol.NextWord(rest)
	req.Words, req.NumWords = word, protocol.CountWords(word)
	if protocol.CountWords(rest) > 0 {
		req.Refusal = verbs.Usage(req)
	}
	return 0
}
