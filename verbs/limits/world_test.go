package limits

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// theVerbs are the verbs of the tests.
var theVerbs = verbs.NewList(Verbs)

// newWorld returns a world whose client knows them.
func newWorld(t testing.TB) *verbtest.World { return verbtest.NewWorld(t, theVerbs) }
