package transcripts

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/transcript"
)

// Every transcript holds over every store, those in verbkeys with that prefix
// set, which changes nothing about the others.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	harness.ForEachOf(t, harness.Stores, func(t *testing.T, s *harness.Store) {
		play(t, "*", s.Name, s.Addr)
	}, "--verb-keys", "verb/")
}

// Without the prefix such keys are keys as any other.
func TestVerbKeysAreOffByDefault(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		c := harness.Dial(t, s.Addr)
		c.Ask("set verb/sadd/fruits 0 0 5\r\napple\r\n", "STORED\r\n")
		c.Ask("get verb/smembers/fruits\r\n", "END\r\n")
		c.Ask("get verb/sadd/fruits\r\n", "VALUE verb/sadd/fruits 0 5\r\napple\r\nEND\r\n")
		c.InStep()
		play(t, "verbs", s.Name, s.Addr)
	})
}

// What the transcripts in plain show is what memcached itself answers, and what those
// in newest show is what the newest does. There older versions differ, and the proxy
// answers as the newest before each of them.
func TestPlainTranscriptsAreMemcachedsOwn(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		name := "memcached-" + version
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addr := harness.StartMemcached(t, version).Addr
			if play(t, "plain", name, addr); version == harness.Newest {
				play(t, "newest", name, addr)
			}
		})
	}
}

// play runs the transcripts in the folders that match against one server.
func play(t *testing.T, folders, store, addr string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folders, "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no transcripts in %s, %v", folders, err)
	}
	for _, path := range paths {
		s, err := transcript.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Concerns(store) {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.ToSlash(path), ".txt"), func(t *testing.T) { s.Run(t, addr) })
	}
}
