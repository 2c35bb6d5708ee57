package catalog

import (
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/verbtest"
)

func TestHelp(t *testing.T) {
	w := verbtest.NewWorld(t, list)
	got := verbtest.Lines(w.Send("help"))
	if len(got) != len(All)+1 || got[len(All)] != "END" {
		t.Errorf("%q", got)
	}
	for i, v := range All {
		want := strings.TrimSpace(v.Name + " " + v.Usage)
		if v.Block {
			want += ", then the data"
		}
		if got[i] != want {
			t.Errorf("%s is told as %q", v.Name, got[i])
		}
		if !strings.HasSuffix(strings.Fields(v.Does)[0], "s") || strings.HasSuffix(v.Does, ".") {
			t.Errorf("%s does what? %q", v.Name, v.Does)
		}
		w.Expect("help "+v.Name, want, v.Does, "END")
	}
	w.Expect("help hset", "hset <key> <field> <flags> <exptime> <bytes> [noreply], then the data",
		"sets a row of a table, as set does an item", "END")
	w.Expect("help get", errUnknown)
	w.Cost(0)
}
