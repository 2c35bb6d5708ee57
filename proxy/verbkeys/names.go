package verbkeys

import (
	"fmt"
	"strings"

	"github.com/memverbs/memverbs/protocol"
)

// The verbs that a retrieval can carry, and those that a set can.
var (
	reading  = []protocol.Command{protocol.SMembers, protocol.SCard, protocol.SIsMember, protocol.LogFetch}
	changing = []protocol.Command{protocol.SAdd, protocol.SRem, protocol.LogPut}
)

// verbNamed returns the verb of that name, Unknown if nothing can carry it.
func verbNamed(name []byte) protocol.Command {
	for _, list := range [2][]protocol.Command{reading, changing} {
		for _, verb := range list {
			if verb.String() == string(name) {
				return verb
			}
		}
	}
	return protocol.Unknown
}

// unknown says that key names none of the verbs in known, and which command
// carries it if it names another.
func (k *Keys) unknown(key []byte, known []protocol.Command) string {
	command, other := "get", "set"
	if known[0] == changing[0] {
		command, other = other, command
	}
	var names []string
	for _, verb := range known {
		names = append(names, verb.String())
	}
	last := len(names) - 1
	hint := ""
	if name, _ := k.split(key); verbNamed(name) != protocol.Unknown {
		hint = fmt.Sprintf("; %s is carried by %s", name, other)
	}
	return fmt.Sprintf("CLIENT_ERROR %s names no verb that %s can carry: those are %s and %s%s",
		shown(key), command, strings.Join(names[:last], ", "), names[last], hint)
}

func noItem(key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s names a verb, not an item: only get, gets, mg, set and ms can carry one", shown(key))
}

func badKey(key []byte) string {
	return fmt.Sprintf("CLIENT_ERROR %s names a key or member that is not 1 to %d bytes without white space or control characters",
		shown(key), protocol.MaxKey)
}

// shown returns a key as it can stand in a reply: one that came in base64 may
// hold anything, line ends too.
func shown(key []byte) string {
	if protocol.PlainWord(key) {
		return string(key)
	}
	return fmt.Sprintf("%q", key)
}
