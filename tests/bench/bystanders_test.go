//go:build linux

package main

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Every row is run with each proxy that knows its requests, and reported.
func TestBystanders(t *testing.T) {
	out, told := runTiny(t, "-cell", "bystanders", "-seconds", "0.3")
	for _, row := range []string{
		`nobody else \| [\d.]+ \| [\d.]+ \| [\d.]+ \| ≤ [\d.]+ \S+ \| 0 \| – \| – \| \d+ \| \d+`,
		`one scard after another of 4000 members \| [\d.]+ \| – \| [\d.]+ \| ≤ [\d.]+ \S+ \| 0 \| [1-9]\d* \| – \| \d+ \| –`,
		`4 × smembers of the same \| [\d.]+ \| – \| .* \| 0 \| [1-9]\d* \| –`,
		`4 × sunion of 4 sets of 1000 \| [\d.]+ \| – \| .* \| 0 \| [1-9]\d* \| –`,
		`4 × sinter of 4000 with itself \| [\d.]+ \| – \| .* \| 0 \| [1-9]\d* \| –`,
		`4 × sdiff of 4000 and a part \| [\d.]+ \| – \| .* \| 0 \| [1-9]\d* \| –`,
		`4 × get of 100 values of 5 kB \| [\d.]+ \| [\d.]+ \| .* \| 0 \| [1-9]\d* \| [1-9]\d* \|`,
		`16 × gets of 5 kB, 16 pipelined \| [\d.]+ \| [\d.]+ \| .* \| 0 \| [1-9]\d* \| [1-9]\d* \|`,
		`10 × scard of 1000 members, 64 pipelined \| [\d.]+ \| – \| .* \| 0 \| [1-9]\d* \| –`,
		`a scard now and then: nobody else \| [\d.]+ \| – \| [\d.]+ \| – \| 0 \| – \| –`,
		`a scard now and then: beside those 10 \| [\d.]+ \| – \| [\d.]+ \| – \| 0 \| [1-9]\d* \| –`,
	} {
		if !regexp.MustCompile(`\| ` + row).MatchString(strings.Join(strings.Fields(out), " ")) {
			t.Errorf("the report doesn't say %q:\n%s\n%s", row, out, told)
		}
	}
}

// standingOf returns the result of a row in which a bystander waited for asked, and one that asks memcached directly for
// direct.
func standingOf(t *testing.T, asked, direct time.Duration) *standing {
	t.Helper()
	s := &standing{asked: load.NewCount(), direct: load.NewCount(), peak: 1 << 20}
	if err := errors.Join(s.asked.Took.RecordValue(int64(asked)), s.direct.Took.RecordValue(int64(direct))); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestVerdictOnBystanders(t *testing.T) {
	const ms = time.Millisecond
	refused := standingOf(t, ms, ms)
	refused.asked.Failed = 1
	partly, idle := standingOf(t, ms, ms), standingOf(t, ms, ms)
	partly.others.Requests, partly.others.Failed = 5, 4
	idle.others.Requests, idle.others.Failed = 5, 5
	silent := standingOf(t, ms, ms)
	silent.failed = errors.New("no answer")
	for _, test := range []struct {
		came *standing
		p99  string
		want string
	}{
		{standingOf(t, 15*ms, 2*ms), "15.0", "≤ 16.0 ✓"},
		{standingOf(t, 17*ms, 2*ms), "17.0", "≤ 16.0 **✗**"},
		{refused, "1.0", "≤ 13.0 **✗**"},
		{partly, "1.0", "≤ 13.0 ✓"},
		{idle, "1.0", "≤ 13.0 **✗**"},
		{silent, "no answer", "≤ 13.0 **✗**"},
	} {
		r := &row{}
		if p99, got := test.came.p99(), r.verdict(test.came); p99 != test.p99 || got != test.want {
			t.Errorf("%s, %s instead of %s, %s", p99, got, test.p99, test.want)
		}
	}
}

// If others are not answered, the report says so, and the run goes on.
func TestUnansweredOthersAreTold(t *testing.T) {
	r := &row{others: []crowd{{conns: 1, pipeline: 1}}}
	s := standingOf(t, time.Millisecond, time.Millisecond)
	s.others.Requests, s.others.Failed = 5, 2
	if got, want := r.answersToOthers(s), "3, 2 refused"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	s.others.Failed, s.gone, s.peak = 0, errors.New("closed"), 0
	if got, want := r.answersToOthers(s), "5, then no answer"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
	if got, want := s.peakMB(), "ended"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
}
