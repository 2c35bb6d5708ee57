package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/logging"
	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
)

// What is said at the start, and by subcommands in a unit, has a priority too.
func TestPrioritiesOfMistakes(t *testing.T) {
	t.Parallel()
	warned := settingstest.Write(t, settingstest.Smallest+"    spare-ttl: 4s\n")
	twemproxy := settingstest.Write(t, smallestTwemproxy+"  backlag: 1\n")
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"--nonsense", "--loops", "0"}, `^<3>memverbs: --nonsense.*\n<3>memverbs: --loops.*\n$`},
		{[]string{"check", "/nowhere/f.yml"}, `^<3>memverbs: .*\n$`},
		{[]string{"check", warned}, `^<4>.*: warning: spare-ttl .*\n$`},
		{[]string{"import", twemproxy}, `^<4>.*: warning: backlag .*\n$`},
	} {
		var out, errs bytes.Buffer
		run(test.args, nil, &out, logging.Journal{Writer: &errs})
		if !regexp.MustCompile(test.says).MatchString(errs.String()) || strings.Contains(out.String(), "<4>") {
			t.Errorf("%q says %q, expected %s", test.args, errs.String(), test.says)
		}
	}
}
