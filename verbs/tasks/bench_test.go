package tasks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs"
)

// Taking many tasks at once from a large queue must not keep others waiting.
func BenchmarkTakeTokens(b *testing.B) {
	const want = 700
	all := claims{want: want}
	for n := range spread * want {
		all.list = append(all.list, claim{put: fmt.Appendf(nil, "%016d", n), n: 1})
	}
	for name, before := range map[string]string{"alone": "", "after another": strings.TrimSpace(string(all.append(nil, begun, nil))) + " "} {
		b.Run(name, func(b *testing.B) {
			claimed := map[verbs.ID]bool{}
			addPuts(claimed, []byte(before))
			for b.Loop() {
				all.append([]byte(before), begun, claimed)
			}
		})
	}
}
