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
	}
	w.Expect("help hset", "hset <key> <field> <flags> <exptime> <bytes> [noreply], then the data", "END")
	w.Expect("help get", errUnknown)
	w.Cost(0)
}
