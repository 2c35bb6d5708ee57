package lists

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

// No part of a list in use remains unread for long.
func TestStaysRead(t *testing.T) {
	pushes := func(ask func(string) string) {
		for i := range 100 {
			ask("rpush k" + someElements(10*i, 10))
		}
	}
	usage := verbtest.Usage{List: theVerbs, Parts: verbtest.PartsOf, Fill: pushes}
	act := func(request func(r *rand.Rand) string) {
		usage.Acts = append(usage.Acts, func(r *rand.Rand, ask func(string) string) {
			if ask(request(r)) == "NOT_FOUND\r\n" {
				pushes(ask)
			}
		})
	}
	act(func(r *rand.Rand) string { return "rpush k" + someElements(r.IntN(1000), 1+r.IntN(3)) })
	act(func(r *rand.Rand) string { return "lpush k" + someElements(r.IntN(1000), 1+r.IntN(3)) })
	act(func(r *rand.Rand) string {
		data := strings.Repeat("a ", r.IntN(150))
		return fmt.Sprintf("%s k 1 %d\r\n%s", []string{"rput", "lput"}[r.IntN(2)], len(data), data)
	})
	act(func(r *rand.Rand) string { return fmt.Sprintf("lpop k %d", 1+r.IntN(3)) })
	act(func(r *rand.Rand) string { return fmt.Sprintf("rpop k %d", 1+r.IntN(3)) })
	act(func(r *rand.Rand) string { return "lrem k 1" + someElements(r.IntN(1000), 1) })
	act(func(r *rand.Rand) string { return fmt.Sprintf("lrange k %d %d", r.IntN(100)-50, r.IntN(100)-50) })
	act(func(r *rand.Rand) string { return "ltrim k 0 -2" })
	act(func(r *rand.Rand) string { return "llen k" })
	verbtest.StaysRead(t, &usage)
}

// someElements returns n elements, each after a space.
func someElements(first, n int) (words string) {
	for i := range n {
		words += fmt.Sprintf(" element%d", first+i)
	}
	return words
}
