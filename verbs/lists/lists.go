package lists

import "github.com/memverbs/memverbs/verbs"

// Verbs are the verbs on lists, in the order in which help lists them.
var Verbs = []*verbs.Verb{&rpush, &lpush, &rput, &lput, &lrem, &lrange, &llen, &lpop, &rpop, &ltrim}
