package logging

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/settings"
)

// Lines for the journal have a priority by their level, and no time, which the journal notes: in
// text and in JSON, with attributes of the logger too.
func TestPrioritiesInTheJournal(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ format, says string }{
		{"text", `<7>level=DEBUG msg=a loop=1
<6>level=INFO msg=b loop=1 g.n=2
<4>level=WARN msg=c loop=1
<3>level=ERROR msg=d loop=1
`},
		{"json", `<7>{"level":"DEBUG","msg":"a","loop":1}
<6>{"level":"INFO","msg":"b","loop":1,"g":{"n":2}}
<4>{"level":"WARN","msg":"c","loop":1}
<3>{"level":"ERROR","msg":"d","loop":1}
`},
	} {
		var said bytes.Buffer
		p := settings.Process{LogFormat: test.format, LogLevel: slog.LevelDebug}
		log := New(Journal{&said}, p.LogLevel, p.LogFormat).With("loop", 1)
		log.Debug("a")
		log.WithGroup("g").Info("b", "n", 2)
		log.Warn("c")
		log.Error("d")
		if said.String() != test.says {
			t.Errorf("%s:\n%sexpected\n%s", test.format, said.String(), test.says)
		}
		said.Reset()
		p.LogLevel = slog.LevelWarn
		log = New(Journal{&said}, p.LogLevel, p.LogFormat)
		log.Info("too little")
		log.Warn("enough")
		if strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "enough") {
			t.Errorf("from warnings on, the log is %q", said.String())
		}
	}
}

// A stream is the journal's only if it is the one that systemd has opened.
func TestWhichStreamIsTheJournal(t *testing.T) {
	theirs, err := os.Create(t.TempDir() + "/theirs")
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	other, err := os.Create(t.TempDir() + "/other")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var stat syscall.Stat_t
	if err := syscall.Fstat(int(theirs.Fd()), &stat); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		variable string
		file     *os.File
		is       bool
	}{
		{fmt.Sprintf("%d:%d", stat.Dev, stat.Ino), theirs, true},
		{fmt.Sprintf("%d:%d", stat.Dev, stat.Ino), other, false},
		{fmt.Sprintf("%d:%d", stat.Dev+1, stat.Ino), theirs, false},
		{fmt.Sprintf("%d", stat.Dev), theirs, false},
		{"", theirs, false},
	} {
		t.Setenv("JOURNAL_STREAM", test.variable)
		if _, is := Stream(test.file).(Journal); is != test.is {
			t.Errorf("JOURNAL_STREAM=%s: %v", test.variable, is)
		}
	}
}
