package tables

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// No part of the index of a table in use remains unread for long, nor does its anchor.
func TestStaysRead(t *testing.T) {
	field := func(r *rand.Rand) string { return fmt.Sprint("field", r.IntN(150)) }
	usage := verbtest.Usage{List: theVerbs, Parts: partsOfTable, Fill: func(ask func(string) string) {
		for i := range 150 {
			ask(set("k", fmt.Sprint("field", i), "1"))
		}
	}}
	usage.AddAct(func(r *rand.Rand) string { return set("k", field(r), fmt.Sprint(r.IntN(1000))) })
	usage.AddAct(func(r *rand.Rand) string { return fmt.Sprintf("hadd k %s 0 0 1\r\n1", field(r)) })
	for _, verb := range []string{"hget", "hexists", "hdel"} {
		usage.AddAct(func(r *rand.Rand) string { return fmt.Sprintf("%s k %s", verb, field(r)) })
	}
	for _, verb := range []string{"hincr", "hdecr"} {
		usage.AddAct(func(r *rand.Rand) string { return fmt.Sprintf("%s k %s 3", verb, field(r)) })
		usage.AddAct(func(r *rand.Rand) string { return fmt.Sprintf("%s k %s 3 50", verb, field(r)) })
	}
	for _, verb := range []string{"hkeys", "hgetall", "hlen", "settle"} {
		usage.AddAct(func(*rand.Rand) string { return verb + " k" })
	}
	for _, verb := range []string{"hkeys", "hgetall"} {
		usage.AddAct(func(r *rand.Rand) string { return fmt.Sprintf("%s k %d 5", verb, r.IntN(150)) })
	}
	verbtest.StaysRead(t, &usage)
}

// partsOfTable returns the keys of the anchor, of the index and of its parts.
func partsOfTable(w *verbtest.World) []string {
	if w.Value("k") == "none" {
		return nil
	}
	index := indexOf(w, "k")
	parts, _ := format.PartKeys([]byte(index), []byte(w.Value(index)))
	return append(parts, index, "k")
}
