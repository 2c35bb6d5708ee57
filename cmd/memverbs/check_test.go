package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
)

// check of two files tells which keys the second moves, before anything does.
func TestCheckComparesFiles(t *testing.T) {
	t.Parallel()
	const main = "pools:\n  main:\n    listen: [':1']\n    layout: twemproxy:ketama:fnv1a_64\n    servers: ['a:1:1 cache-a', 'b:1:1 cache-b', 'c:1:1 cache-c']\n"
	const aside = "  aside: {listen: [':2'], servers: [a]}\n"
	for _, test := range []struct{ before, after, says string }{
		{main, main, `pool main: no key moves\n`},
		{main, main + "    timeout: 2s\n", `pool main: no key moves\n`},
		{main, strings.Replace(main, "cache-c", "cache-d", 1), `pool main: (2\d|3\d|4\d)\.\d % of the keys move to another server, where they are missing\n`},
		{main, strings.Replace(main, "'a:1:1 cache-a', 'b:1:1 cache-b'", "'b:1:1 cache-b', 'a:1:1 cache-a'", 1), `pool main: 0\.0 % of the keys move .*\n`},
		{main, main + "    hash-tag: '{}'\n", `pool main: 0\.0 % of the keys .*; hash-tag differs, which moves more of those that it applies to\n`},
		{main, main + "    unhashed-prefix: ['x:']\n", `pool main: 0\.0 % of the keys .*; unhashed-prefix differs, .*\n`},
		{main, main + "    log-chunks: 20\n", `pool main: no key moves; log-chunk or log-chunks differs: events logged before may not be found\n`},
		{main, main + aside, `pool main: no key moves\npool aside is new\n`},
		{main + aside, main, `pool main: no key moves\npool aside is removed\n`},
		{main, strings.Replace(main, "    listen: [':1']\n", "", 1) + aside + "listeners: [{listen: [':1'], routes: {'s:': aside, '': main}}]\n",
			`pool main: no key moves\npool aside is new\nlisten at :1: before, all keys to main\n`},
	} {
		before, after := settingstest.Write(t, test.before), settingstest.Write(t, test.after)
		var out, errs strings.Builder
		status := run([]string{"check", before, after}, nil, &out, &errs)
		summary, compared, found := strings.Cut(out.String(), "compared with "+before+":\n")
		if status != exitOK || errs.Len() > 0 || !found || !strings.HasPrefix(summary, "pool main: 3 servers") || !regexp.MustCompile("^"+test.says+"$").MatchString(compared) {
			t.Errorf("from\n%sto\n%sstatus %d, it said %s%s\nexpected %s", test.before, test.after, status, out.String(), errs.String(), test.says)
		}
	}
}

// A file that is wrong is told of, whichever it is, and nothing is compared.
func TestCheckOfTwoFilesWithMistakes(t *testing.T) {
	t.Parallel()
	right, wrong := settingstest.Write(t, settingstest.Smallest), settingstest.Write(t, "pools:\n")
	for _, paths := range [][]string{{right, wrong}, {wrong, right}} {
		var out, errs strings.Builder
		if status := run(append([]string{"check"}, paths...), nil, &out, &errs); status != exitWrongFile || out.Len() > 0 || !strings.HasPrefix(errs.String(), wrong+":1:8: ") {
			t.Errorf("status %d, %q and %q", status, out.String(), errs.String())
		}
	}
	var out, errs strings.Builder
	if status := run([]string{"check", right, right, right}, nil, &out, &errs); status != exitUsage || errs.String() != "memverbs: memverbs check needs 1 to 2 files, not 3; see --help\n" {
		t.Errorf("status %d, %q and %q", status, out.String(), errs.String())
	}
}

// A few of many errors are printed.
func TestManyErrors(t *testing.T) {
	t.Parallel()
	path := settingstest.Write(t, settingstest.Smallest+strings.Repeat(" ", 4)+"unhashed-prefix: ["+strings.Repeat("'',", 100)+"]\n")
	var out, errs bytes.Buffer
	status := run([]string{"check", path}, nil, &out, &errs)
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	if status != exitWrongFile || out.Len() > 0 || len(lines) != 21 || lines[20] != "and 80 more" {
		t.Errorf("status %d, %q and %q", status, out.String(), lines)
	}
}

// The name of a file is not empty.
func TestCheckOfNoFile(t *testing.T) {
	t.Parallel()
	var errs strings.Builder
	if status := run([]string{"check", ""}, nil, nil, &errs); status != exitUsage || errs.String() != "memverbs: the name of the file is empty\n" {
		t.Errorf("check: status %d, %q", status, errs.String())
	}
}
