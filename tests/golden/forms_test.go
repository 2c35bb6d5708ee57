package golden

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// forms are those of the tokens that verbs store. A space is before each, and after its end.
var forms = map[string][]string{
	"sets":     {`\+\S+`, `-\S+`, `~\d+:\S+`},
	"lists":    {`l>\w+`, `l<\w+`, `l\(\w+`, `l\)\w+`, `l-\w+`, `l=\S+`, `l:\w+`, `l~\S+\.\(\d+`, `l~\S+\.\)\d+`, `l~\S+\.\d+:\d+`},
	"data":     {`l\+>\S{12}\.\d*\.\S*`, `l\+<\S{12}\.\d*\.\S*`, `l\+-\S{12}`, `l\+:\S{12}\.\d*\.\S*`},
	"tables":   {`h:\S{16}`},
	"rankings": {`z=-?\d+:\S+`, `z\+-?\d+:\S+`, `z~\d+@\d+:\S+`, `z~\d+@\d+;\d+@\d+:\S+`, `z\(\d+:\S+`, `z\)\d+:\S+`, `z-\S+`, `z>\S+\.\d+:\S+`, `z>\S+\.\d+@\d+:\S+`, `z<\S+\.\d+;\d+`},
	"tasks":    {`t=\d+:\S{16}:\S+`, `t>\S{16}\.\d+\.\d+\.\d+\.\S{11}`, `t~\S{16}\.\d+\.\d+`, `t\)\S{16}\.\d+\.\d+`, `t-\S{16}\.\d+`, `t-\S{16}`, `t-:\S+`, `t\(\d+\.\d+\.\d+\.\S{11}:\S{16}:\S+`},
	"locks":    {`x:\S+`, `x/\d+:\S+`},
	"segments": {`@\S{16}:\d+:\d+`, `@\S{16}:\d+:\d+:l`, `@\S{16}:\d+:\d+:z`, `@\S{16}:\d+:\d+:t`},
}

// Each form is among the items that some release has stored.
func TestEachFormIsKept(t *testing.T) {
	t.Parallel()
	clocks, err := filepath.Glob("*/clock")
	if err != nil {
		t.Fatal(err)
	}
	var logs strings.Builder
	for _, clock := range clocks {
		for _, name := range files(t, filepath.Dir(clock), items) {
			for _, i := range storedItems(t, name+items) {
				logs.WriteString(" " + string(i.value) + " \n")
			}
		}
	}
	for kind, list := range forms {
		for _, form := range list {
			if !regexp.MustCompile(` ` + form + ` `).MatchString(logs.String()) {
				t.Errorf("%s: no item has %s", kind, form)
			}
		}
	}
}
