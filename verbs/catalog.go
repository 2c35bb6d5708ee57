package verbs

import (
	"strings"

	"github.com/memverbs/memverbs/protocol"
)

// All are all verbs, in the order in which help lists them.
var All = []*Verb{
	&help,
	&sadd, &srem, &smembers, &sismember, &sinter, &sunion, &sdiff,
	&scard, &spop, &srandmember, &scompact,
	&logput, &logfetch,
}

// Most is how many verbs there may be, for tables by number.
const Most = 64

// Known are all verbs, for a [protocol.Parser].
var Known = func() *protocol.Verbs {
	var list []*protocol.Verb
	for _, v := range All {
		list = append(list, &v.Verb)
	}
	return protocol.NewVerbs(list)
}()

// usages says how each verb is written.
var usages []byte

func init() { // as help is one of them
	for _, v := range All {
		usages = append(usages, strings.TrimSpace(v.Name+" "+v.Usage)+"\r\n"...)
	}
}
