package embedded

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files in testdata are requests to a newly started memcached 1.6.45, and its
// answers. \s is a space at the end of a line.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			c := connect(t, freshServer(t))
			for _, e := range readTranscript(t, file) {
				c.expect(e.request, e.reply)
			}
		})
	}
}

// freshServer returns a function that connects to an empty store or memcached.
func freshServer(t *testing.T) func() (net.Conn, error) {
	if *memcached != "" {
		return startMemcached(t)
	}
	s, _ := openStore(t, testMemory, testMaxItem)
	return s.Dial
}

type exchange struct{ request, reply string }

func readTranscript(t testing.TB, file string) (all []exchange) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var e exchange
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' || line[0] == '\n' {
			continue
		}
		side, said := line[0], strings.TrimPrefix(strings.TrimSuffix(line[1:], "\n"), " ")
		said = strings.ReplaceAll(said, `\s`, " ") + "\r\n"
		if side == '<' {
			e.reply += said
			continue
		}
		if e.reply != "" {
			all = append(all, e)
			e = exchange{}
		}
		e.request += said
	}
	return append(all, e)
}
