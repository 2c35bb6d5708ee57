package tables

import (
	"bytes"
	"strings"

	"github.com/memverbs/memverbs/verbs"
	"github.com/memverbs/memverbs/verbs/structure/format"
	"github.com/memverbs/memverbs/verbs/verbtest"
)

// rules are the rules of races on tables.
var rules = verbtest.Rules{List: theVerbs, Look: "hgetall k", Right: inSomeOrder, Stray: stray, Unknown: errTorn, Random: randomRace}

// Options with which an index of one field fits, and two are settled into a segment; with
// which two fields fit twice; and with which it is never too long.
var (
	tiny  = verbs.Options{StructureItemSize: 4, CompactDirtiness: 1}
	small = verbs.Options{StructureItemSize: 14, CompactDirtiness: 1}
	roomy = verbs.Options{StructureItemSize: 1 << 20, CompactDirtiness: 50}
)

// stray returns the keys of items that belong to no table. If tables were deleted, their
// parts remain.
func stray(w *verbtest.World, calls []*verbtest.Call) (keys []string) {
	for _, c := range calls {
		if strings.HasPrefix(c.Request, "remove") {
			return nil
		}
	}
	generation, _ := parseAnchor([]byte(w.Value("k")))
	index := appendIndexKey(nil, []byte("k"), string(generation))
	parts, _ := format.PartKeys(index, []byte(w.Value(string(index))))
	known := map[string]bool{"k": true, string(index): true}
	for _, part := range parts {
		known[part] = true
	}
	for _, key := range w.Keys() {
		if !known[key] && !(generation != nil && bytes.HasPrefix([]byte(key), append(index, '='))) {
			keys = append(keys, key)
		}
	}
	return keys
}
