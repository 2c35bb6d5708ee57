package sets

import "github.com/memverbs/memverbs/verbs"

// Verbs are the verbs on sets, in the order in which help lists them.
var Verbs = []*verbs.Verb{
	&sadd, &saddnew, &saddp, &srem, &schange, &smembers, &sismember, &sinter, &sunion, &sdiff,
	&scard, &spop, &srandmember, &scompact,
}
