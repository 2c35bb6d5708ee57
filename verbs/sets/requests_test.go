package sets

import (
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// words are what follows the name of each verb in a request on the set k, and l where there
// are several.
var words = map[string]string{
	"sadd": "k a m1", "saddnew": "k a x1", "saddp": "k a m1 60", "srem": "k m1", "schange": "k +a -m1", "smembers": "k l", "sismember": "k m1", "scard": "k",
	"sinter": "l k", "sunion": "k l", "sdiff": "k l", "spop": "k 4", "srandmember": "k 2", "scompact": "k",
}

// requests returns a request for each verb that is wanted. Tests that are about all verbs
// take them from here, so that none is forgotten.
func requests(t *testing.T, wanted func(v *verbs.Verb) bool) (all []string) {
	t.Helper()
	for _, v := range Verbs {
		if words[v.Name] == "" {
			t.Fatalf("there is no request for %s to test it by", v.Name)
		}
		if wanted(v) {
			all = append(all, v.Name+" "+words[v.Name])
		}
	}
	return all
}

// every is all verbs.
func every(*verbs.Verb) bool { return true }

// reading is the verbs that read a set rather than append to it.
func reading(v *verbs.Verb) bool { return v.Reads }

// readOnly is the verbs that change nothing.
func readOnly(v *verbs.Verb) bool { return v.ReadOnly }
