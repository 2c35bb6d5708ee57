package slow

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// However many requests are slow, a line is logged once a second, and tells how many others
// there were.
func TestLogIsLimited(t *testing.T) {
	var said bytes.Buffer
	l := Log{To: slog.New(slog.NewTextHandler(&said, nil))}
	start := time.Now()
	for i := range 2500 {
		l.Note(Request{At: start.Add(time.Duration(i) * time.Millisecond), Key: fmt.Sprint("key", i), Took: time.Second})
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	if len(lines) != 3 || l.Count != 2500 {
		t.Fatalf("%d lines, %d counted:\n%s", len(lines), l.Count, said.String())
	}
	for i, want := range []string{"key=key0 ", "key=key1000 ", "key=key2000 "} {
		if !strings.Contains(lines[i], want) || !strings.HasSuffix(lines[i], []string{"more=0", "more=999", "more=999"}[i]) {
			t.Errorf("line %d is %q", i, lines[i])
		}
	}
}

// The list has the latest requests of all loops, the latest first.
func TestLatest(t *testing.T) {
	start := time.Now()
	var one, two Log
	one.To = slog.New(slog.DiscardHandler)
	two.To = one.To
	if len(one.Latest()) != 0 {
		t.Error("there is one before any")
	}
	for i := range 50 {
		to := &one
		if i%3 == 0 {
			to = &two
		}
		to.Note(Request{At: start.Add(time.Duration(i)), Key: fmt.Sprint(i)})
	}
	list := Merge(append(one.Latest(), two.Latest()...))
	if len(list) != Kept {
		t.Fatalf("%d requests", len(list))
	}
	for i, r := range list {
		if r.Key != fmt.Sprint(49-i) {
			t.Errorf("request %d is %q", i, r.Key)
		}
	}
}

func TestPrintable(t *testing.T) {
	for key, want := range map[string]string{
		"": "", "user:7": "user:7", "a\\b": `a\\b`, "\x00\x1b[2J\xff\x7f": `\x00\x1b[2J\xff\x7f`, "ä": `\xc3\xa4`, `<b>"&'`: `<b>"&'`,
	} {
		if got := Printable([]byte(key)); got != want {
			t.Errorf("%q is %q, expected %q", key, got, want)
		}
	}
}
