package tests

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/transcript"
)

// Every transcript holds over every store.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	harness.ForEachStore(t, func(t *testing.T, s *harness.Store) {
		play(t, "*", s.Name, s.Addr)
	})
}

// What the transcripts in plain show is what memcached itself answers.
func TestPlainTranscriptsAreMemcachedsOwn(t *testing.T) {
	t.Parallel()
	for _, version := range harness.Versions {
		name := "memcached-" + version
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play(t, "plain", name, harness.StartMemcached(t, version).Addr)
		})
	}
}

// play runs the transcripts in the folders that match against one server.
func play(t *testing.T, folders, store, addr string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("transcripts", folders, "*.txt"))
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
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path), "transcripts/"), ".txt")
		t.Run(name, func(t *testing.T) { s.Run(t, addr) })
	}
}
