//go:build linux

package main

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// planned returns the names of the cells that flags choose.
func planned(t *testing.T, args ...string) (names []string, cells []*cell) {
	t.Helper()
	o, err := parse(args)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := o.plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		for _, c := range p.cells {
			names, cells = append(names, c.name), append(cells, c)
		}
	}
	return names, cells
}

func TestCellsAreChosen(t *testing.T) {
	for _, test := range []struct{ cells, want string }{
		{"single", "single"},
		{"10k,single", "single,10k"},
		{"open", "plain,open"}, // whose rate depends on what plain has come to
		{"keys,unix", "unix,keys-1,keys-10,keys-100,keys-1000"},
		{"tls", "tls-plain,tls-pipelined,tls-10k,tls-connect,tls-resume,tls-servers,tls-servers-pipelined,tls-idle"}, // two parts
	} {
		if names, _ := planned(t, "-cell", test.cells); strings.Join(names, ",") != test.want {
			t.Errorf("-cell %s: %v", test.cells, names)
		}
	}
}

// What would make a run of everything too long is run only if it is named.
func TestPartsApart(t *testing.T) {
	for _, test := range []struct {
		args string
		want bool
	}{{"-cell=all", false}, {"-cell=structures", true}, {"-cell=plain,hget", true}, {"-cell=rankings", false}} {
		if names, _ := planned(t, test.args); slices.Contains(names, "hget") != test.want {
			t.Errorf("%s: %v", test.args, names)
		}
	}
}

func TestNamesAreNotUsedTwice(t *testing.T) {
	var names []string
	for _, p := range allParts(&options{threads: 1, changes: none}) {
		for _, c := range p.cells {
			names = append(names, c.name)
		}
	}
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); len(unique) < len(names) {
		t.Error(names)
	}
}

func TestChangedCellsHaveNoBars(t *testing.T) {
	_, cells := planned(t, "-cell", "plain", "-conns", "7", "-pipeline", "2", "-keys", "9", "-value-size", "2000",
		"-get-keys", "3", "-rate", "5000", "-sets", "0", "-skew", "0.9")
	const want = "7 connections, 2 pipelined, 2 kB, gets of 3 keys, 0 % sets, Zipf 0.9, open loop at 5000 requests/s"
	if c := cells[0]; c.what != want || len(c.bars) > 0 {
		t.Errorf("%s, bars %v", c.what, c.bars)
	}
}

func TestReportBelongsToWholeRuns(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"", "tests/bench/report.md"},
		{"-rounds=9", "tests/bench/report.md"},
		{"-cell=plain", ""},
		{"-skew=0.9", ""},
		{"-cell=plain -report=r.md", "r.md"},
	} {
		o, err := parse(strings.Fields(test.args))
		if err != nil || o.reportPath() != test.want {
			t.Errorf("%q: %q, %v", test.args, o.reportPath(), err)
		}
	}
}

func TestFlagsRefused(t *testing.T) {
	for _, args := range []string{"x", "-rounds -1", "-seconds 0", "-seconds x", "-threads 0", "-loops 0", "-warmup -1s", "-nothing"} {
		if _, err := parse(strings.Fields(args)); err == nil {
			t.Errorf("%s is taken", args)
		}
	}
	for _, args := range []string{"-cell x", "-cell plain,", "-conns -1", "-sets 2", "-skew 99", "-rate -1"} {
		o, err := parse(strings.Fields(args))
		if err == nil {
			_, err = o.plan()
		}
		if err == nil {
			t.Errorf("%s is taken", args)
		}
	}
}

// A run of everything is to take less than ten minutes.
func TestBudget(t *testing.T) {
	o, err := parse(nil)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := o.plan()
	if err != nil {
		t.Fatal(err)
	}
	total := newProgress(io.Discard, parts, o).total
	t.Logf("about %v", total)
	if total > 10*time.Minute {
		t.Errorf("everything takes %v", total)
	}
}
