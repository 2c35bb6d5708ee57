package rankings

import "github.com/memverbs/memverbs/verbs"

// Verbs are the verbs on rankings, in the order in which help lists them.
var Verbs = []*verbs.Verb{&zadd, &zmax, &zmin, &zsub, &zinc, &zdec, &zrem, &zincrby, &zincrbyp, &zget, &zrank, &zrevrank, &zrange, &zrevrange, &zcount, &zbyscore, &zrevbyscore, &zaround, &zrevaround, &zcard, &zpopmin, &zpopmax, &ztrim}
