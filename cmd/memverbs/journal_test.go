package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
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
		p := process{logFormat: test.format, logLevel: slog.LevelDebug}
		log := p.logger(journal{&said}).With("loop", 1)
		log.Debug("a")
		log.WithGroup("g").Info("b", "n", 2)
		log.Warn("c")
		log.Error("d")
		if said.String() != test.says {
			t.Errorf("%s:\n%sexpected\n%s", test.format, said.String(), test.says)
		}
		said.Reset()
		p.logLevel = slog.LevelWarn
		log = p.logger(journal{&said})
		log.Info("too little")
		log.Warn("enough")
		if strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "enough") {
			t.Errorf("from warnings on, the log is %q", said.String())
		}
	}
}

// What is said at the start, and by subcommands in a unit, has a priority too.
func TestPrioritiesOfMistakes(t *testing.T) {
	t.Parallel()
	warned := write(t, smallest+"    spare-ttl: 4s\n")
	twemproxy := write(t, nutcrackerMain+"  backlag: 1\n")
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
		run(test.args, nil, &out, journal{&errs})
		if !regexp.MustCompile(test.says).MatchString(errs.String()) || strings.Contains(out.String(), "<4>") {
			t.Errorf("%q says %q, expected %s", test.args, errs.String(), test.says)
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
		if _, is := journalOr(test.file).(journal); is != test.is {
			t.Errorf("JOURNAL_STREAM=%s: %v", test.variable, is)
		}
	}
}
