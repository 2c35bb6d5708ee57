package tasks

import "github.com/memverbs/memverbs/verbs"

// Verbs are the verbs on queues of tasks, in the order in which help lists them.
var Verbs = []*verbs.Verb{&taskput, &taskadd, &tasktake, &taskdone, &taskkeep, &taskretry, &taskdrop, &taskmove, &taskpeek, &tasklist, &tasklen}
