package sets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// No part of a set in use remains unread for long.
func TestStaysRead(t *testing.T) {
	usage := verbtest.Usage{List: theVerbs, Parts: verbtest.PartsOf, Fill: func(ask func(string) string) {
		for i := range 100 {
			ask("sadd k" + someMembers(10*i, 10))
		}
	}}
	for _, verb := range single {
		usage.Acts = append(usage.Acts, func(r *rand.Rand, ask func(string) string) {
			request := verb.Name + " k"
			if slices.Contains([]string{"sadd", "saddnew", "saddp", "srem", "sismember"}, verb.Name) {
				request += someMembers(r.IntN(1000), 1+r.IntN(3))
			}
			switch verb.Name {
			case "saddp":
				request += " 1000000"
			case "schange":
				request += fmt.Sprintf(" +member%d -member%d", r.IntN(1000), r.IntN(1000))
			}
			ask(request)
		})
	}
	verbtest.StaysRead(t, &usage)
}

// someMembers returns n members, each after a space.
func someMembers(first, n int) (words string) {
	for i := range n {
		words += fmt.Sprintf(" member%d", first+i)
	}
	return words
}
