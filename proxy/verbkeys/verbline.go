package verbkeys

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// read has the verb parse the line as if a client had sent it, and sets verb to the result.
func (k *Keys) read(named *verbs.Verb, key []byte, verb *protocol.Request) (refusal string) {
	*verb = protocol.Request{Command: protocol.Extra, Verb: &named.Verb, Listed: named.Carry.Listed}
	named.Read(k.line, verb)
	switch {
	case verb.Refusal == "":
		return ""
	case named.Carry.Value == verbs.NoValue && verb.Refusal == verbs.Usage(verb):
		return k.otherwise(named, key)
	}
	return within(key, verb.Refusal)
}
