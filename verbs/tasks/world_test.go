package tasks

import (
	"fmt"
	"strings"
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

// begun is when the tests begin, in milliseconds since 1970.
const begun = 1_700_000_000_000

// past is a time long before that.
const past = 1_600_000_000_000

// put returns the request that puts a task whose content is its id.
func put(id string, when int64) string {
	return fmt.Sprintf("taskput k %s %d 7 %d\r\n%s", id, when, len(id), id)
}

// add returns the request that adds such a task.
func add(id string, when int64) string {
	return strings.Replace(put(id, when), "taskput", "taskadd", 1)
}

// taken returns the ids and stamps in an answer of tasktake.
func taken(t testing.TB, answer string) (ids, stamps []string) {
	t.Helper()
	lines := strings.Split(answer, "\r\n")
	for len(lines) > 2 {
		words := strings.Fields(lines[0])
		if len(words) != 5 || words[0] != "VALUE" || words[2] != "7" || lines[1] != words[1] {
			t.Fatalf("answered %q", answer)
		}
		ids, stamps = append(ids, words[1]), append(stamps, words[4])
		lines = lines[2:]
	}
	if len(lines) != 2 || lines[0] != "END" {
		t.Fatalf("answered %q", answer)
	}
	return ids, stamps
}
