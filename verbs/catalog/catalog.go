// Package catalog lists all verbs, and makes the kinds of structures that they are about
// known to whoever folds one away. It has the verbs that are about no one kind, too: that
// which tells of all others, and that which tells what any structure is made of.
package catalog

import (
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/eventlogs"
	"github.com/memverbs/memverbs/verbs/lists"
	"github.com/memverbs/memverbs/verbs/locks"
	"github.com/memverbs/memverbs/verbs/rankings"
	"github.com/memverbs/memverbs/verbs/sets"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/tables"
	"github.com/memverbs/memverbs/verbs/tasks"
)

// list is all verbs: those about no one kind of structure, and then kind by kind.
var list = verbs.NewList([]*verbs.Verb{&help, &inspect}, sets.Verbs, lists.Verbs, tables.Verbs, rankings.Verbs, tasks.Verbs, eventlogs.Verbs, locks.Verbs)

// All are all verbs, in the order in which help lists them.
var All = list.All

// Most is how many verbs there may be, for tables by number.
const Most = 64

// Known are all verbs, for a [protocol.Parser].
var Known = list.Known

// Of returns the verb that req asks for, nil if it asks for none.
func Of(req *protocol.Request) *verbs.Verb { return list.Of(req) }

// kinds are all kinds of structures that are logs of tokens.
var kinds = []*format.Kind{&sets.Kind, &lists.Kind, &tables.Kind, &rankings.Kind, &tasks.Kind}

// Losses are the names of what can be lost as a whole because a part of it was evicted: kinds of
// structures, and the tasks of queues. See [structure.Env].
var Losses = []string{tasks.Loss}

func init() {
	format.Register(kinds...)
	for _, k := range kinds {
		Losses = append(Losses, k.Name)
	}
}
