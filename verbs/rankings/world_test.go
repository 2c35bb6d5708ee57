package rankings

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

func init() { format.Register(&Kind, &verbtest.PileKind) }

// theVerbs are the verbs of the tests.
var theVerbs = verbs.NewList(Verbs)

// onBoth runs test with a new and with an old memcached.
func onBoth(t *testing.T, test func(*testing.T, *verbtest.World)) { verbtest.OnBoth(t, theVerbs, test) }
