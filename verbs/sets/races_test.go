package sets

import (
	"strings"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// rules are the rules of races on sets.
var rules = verbtest.Rules{List: theVerbs, Look: "smembers k", Before: setOf, Right: inSomeOrder, Ends: true, Intent: removes, Random: randomRace}

// Options with which a head is always too long, so that every append settles; with
// which it is too long with more than six members, or a pointer and two tokens; and
// with which it never is.
var (
	tiny  = verbs.Options{StructureItemSize: 4}
	small = verbs.Options{StructureItemSize: 34} // settled at 30
	roomy = verbs.Options{StructureItemSize: 1 << 20}
)

// setOf returns the set that a log folds to.
func setOf(log string) string {
	all := plain{}.apply(log)
	for i := range all {
		all[i].name = all[i].name[:1]
	}
	return "!" + all.String()
}

// removes returns the letters of the members that a spop is about to remove, from the
// tokens in its buffer.
func removes(request string, tokens []byte) string {
	if !strings.HasPrefix(request, "spop") {
		return ""
	}
	return letters(strings.Fields(strings.ReplaceAll(" "+string(tokens), " -", " ")))
}
