package catalog

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/verbs"
)

// What is said of a verb holds together.
func TestCatalog(t *testing.T) {
	if len(All) > Most {
		t.Errorf("%d verbs, and tables for %d", len(All), Most)
	}
	for i, v := range All {
		switch {
		case v.Number != i || Known[v.Name] != &v.Verb:
			t.Errorf("%s is not where it should be", v.Name)
		case v.Run == nil || v.Read == nil:
			t.Errorf("%s does nothing", v.Name)
		case v.ReadOnly && !v.Reads, v.Keys && !v.List:
			t.Errorf("%s: %+v", v.Name, v)
		case v.Carry != nil && !holdsTogether(v):
			t.Errorf("%s: %+v", v.Name, v.Carry)
		}
	}
}

// holdsTogether reports whether a verb can be carried as it says.
func holdsTogether(v *verbs.Verb) bool {
	if (v.Carry.Value == verbs.DataValue) != v.Block {
		return false
	}
	quiet := strings.HasSuffix(v.Usage, "[noreply]")
	switch v.Carry.By {
	case protocol.Get:
		return v.Carry.Value == verbs.NoValue && !v.Carry.Exptime && !quiet
	case protocol.Set, protocol.Add:
		return v.Carry.Value != verbs.NoValue && quiet
	case protocol.Delete, protocol.Incr, protocol.Decr:
		return v.Carry.Value == verbs.NoValue && !v.Carry.Exptime && quiet
	case protocol.Touch:
		return v.Carry.Value == verbs.NoValue && v.Carry.Exptime && quiet
	}
	return false
}
