package service

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
)

// The log has a line for each mistake in a file, up to a limit.
func TestReloadLogsEachMistake(t *testing.T) {
	t.Parallel()
	prefixes := func(n int) string { return "    unhashed-prefix: [" + strings.Repeat("'',", n) + "]\n" }
	for _, test := range []struct {
		file  string
		lines int
		last  string
	}{
		{"loops: 0\n" + settingstest.Smallest + "    timeout: 1\n", 2, `memverbs.yml:6:14: timeout: \"1\" is not a duration`},
		{settingstest.Smallest + prefixes(20), 20, "memverbs.yml:5:"},
		{settingstest.Smallest + prefixes(20+5), 20 + 1, `reason="and 5 more"`},
	} {
		var said strings.Builder
		r := newReloader(settingstest.Write(t, test.file), &settings.All{}, nil, slog.New(slog.NewTextHandler(&said, nil)))
		if err := r.reload(); err == nil || !r.last.Load().Failed {
			t.Errorf("%v, %+v", err, r.last.Load())
		}
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		if len(lines) != test.lines || !strings.Contains(lines[len(lines)-1], test.last) {
			t.Errorf("%d lines, expected %d, the last with %s:\n%s", len(lines), test.lines, test.last, said.String())
		}
		for _, line := range lines {
			if !strings.Contains(line, `level=ERROR msg="the file can't be used: nothing has changed" file=`) {
				t.Errorf("a line is %q", line)
			}
		}
	}
}
