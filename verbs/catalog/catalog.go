package catalog

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/eventlogs"
	"github.com/memverbs/memverbs/verbs/limits"
	"github.com/memverbs/memverbs/verbs/lists"
	"github.com/memverbs/memverbs/verbs/locks"
	"github.com/memverbs/memverbs/verbs/rankings"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/tables"
	"github.com/memverbs/memverbs/verbs/tasks"
)

// list is all verbs: first those that belong to no kind of structure, then those of each kind.
var list = verbs.NewList([]*verbs.Verb{&help, &inspect, &nsflush}, sets.Verbs, lists.Verbs, tables.Verbs, rankings.Verbs, tasks.Verbs, eventlogs.Verbs, locks.Verbs, limits.Verbs)

// All are all verbs, in the order in which help lists them.
var All = list.All

// Most is how many verbs there may be, for tables by number.
const Most = 128

// Known are all verbs, for a [protocol.Parser].
var Known = list.Known

// Of returns the verb that req asks for, nil if it asks for none.
func Of(req *protocol.Request) *verbs.Verb { return list.Of(req) }

// kinds are all kinds of structures that are logs of tokens.
var kinds = []*format.Kind{&sets.Kind, &lists.Kind, &tables.Kind, &rankings.Kind, &tasks.Kind}

// Losses are the names under which losses by eviction are counted: kinds of structures, and tasks,
// whose contents may be lost separately. See NoteLost of [structure.Env].
var Losses = []string{tasks.Loss}

func init() {
	format.Register(kinds...)
	for _, k := range kinds {
		Losses = append(Losses, k.Name)
	}
}
