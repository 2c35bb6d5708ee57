package tables

import "github.com/memverbs/memverbs/verbs"

// Verbs are the verbs on tables, in the order in which help lists them.
var Verbs = []*verbs.Verb{
	&hset, &hadd, &hget, &hexists, &hdel, &hincr, &hdecr, &hkeys, &hgetall, &hlen,
}
