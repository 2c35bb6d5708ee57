package transcript

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, line string
		match         bool
	}{
		{"STORED", "STORED\r\n", true},
		{"STORED", "NOT_STORED\r\n", false},
		{"STORED", "STORED \r\n", false},
		{"STORED", "STORED\n", false},
		{"", "\r\n", true},
		{"{k*3}!", "kkk!\r\n", true},
		{`a\x00\xff\r\n\tb\\`, "a\x00\xff\r\n\tb\\\r\n", true},
		{`\{int}`, "{int}\r\n", true},
		{"VALUE a 0 1 {int}", "VALUE a 0 1 17\r\n", true},
		{"VALUE a 0 1 {int}", "VALUE a 0 1 \r\n", false},
		{"t{int} s{int}", "t-1 s5\r\n", true},
		{"t{int}", "t-\r\n", false},
		{"{int}", "12x\r\n", false},
		{"VALUE a 0 1 {word}", "VALUE a 0 1 a-b.1\r\n", true},
		{"VALUE a 0 1 {word}", "VALUE a 0 1 \r\n", false},
		{"VALUE a 0 1 {word}", "VALUE a 0 1 a b\r\n", false},
		{"{word id}:1 {id}:2", "a:1:1 a:1:2\r\n", true},
		{"{word id}:1 {id}:2", "a:1 b:2\r\n", false},
		{"CLIENT_ERROR {any}", "CLIENT_ERROR \r\n", true},
		{"CLIENT_ERROR {any} bad", "CLIENT_ERROR too bad, so bad\r\n", true},
		{"CLIENT_ERROR {any}", "SERVER_ERROR x\r\n", false},
	} {
		p, err := parsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if match := p.match(c.line, map[string]string{}); match != c.match {
			t.Errorf("%q matches %q: %v", c.pattern, c.line, match)
		}
	}
}

func TestMistakesInATranscriptAreFound(t *testing.T) {
	for text, complaint := range map[string]string{
		"":                     "nothing in it",
		"# only a comment":     "nothing in it",
		"> mn\n\nMN":           ":3: neither",
		"> get {nobody}":       "nothing was remembered",
		"> get {int}":          "placeholder",
		"> get {word}":         "placeholder",
		"< half a line\\":      "line end",
		"> {x*251":             "no }",
		`> \q`:                 "bad escape",
		"A> version":           "neither",
		"< {int a}\n> set {b}": ":2: nothing was remembered",
	} {
		if _, err := Parse("x.txt", text); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("%q: %v, not %q", text, err, complaint)
		}
	}
}

// A runner that never complains would make every transcript pass.
func TestTheRunnerComplains(t *testing.T) {
	t.Parallel()
	m := harness.StartMemcached(t, "1.6.18")
	for text, complaint := range map[string]string{
		"> get a\n< END":                               "",
		"> get a\n< {close}":                           "    - < {close}\n    + < END\n",
		"> get a\n< STORED":                            "x.txt:2: another answer",
		"> foo\n< END":                                 "      > foo\n    - < END\n    + < ERROR\n",
		"> quit\n< END":                                "    + < {close}\n",
		"> get a\n> get b\n< END":                      "out of step",
		"a> get a\nb> get b\na< END":                   "out of step",
		"> set a 0 0 1\n> \\xff\n> get a\n< STORED\n<": `    + < \xff` + "\n",
		"> gets a\n< END\n> mn\n< MN":                  "",
		"> incr a 1\n< NOT_FOUND\n> quit\n< {close}":   "",
		"> set a 0 0 3\n> a\\nb\n> get a\n< STORED\n" + "< VALUE a 0 3\n< a\\nb\n< END":                  "",
		"> foo\n< {word e}\n> set a 0 0 5\n> {e}\n> get a\n< STORED\n" + "< VALUE a 0 5\n< ERROR\n< END": "",
	} {
		s, err := Parse("x.txt", text)
		if err != nil {
			t.Fatal(err)
		}
		got := complaintOf(t, func(t testing.TB) { s.Run(t, m.Addr) })
		if (got == "") != (complaint == "") || !strings.Contains(got, complaint) {
			t.Errorf("%q: the runner said\n%s\nnot\n%s", text, got, complaint)
		}
	}
}

// recorder is a test that may fail, and then keeps why.
type recorder struct {
	testing.TB
	said strings.Builder
}

func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.said, format, args...) }

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprint(args...)) }

// complaintOf returns with what test fails, nothing if it does not.
func complaintOf(t *testing.T, test func(t testing.TB)) string {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	return r.said.String()
}
