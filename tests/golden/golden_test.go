package golden

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/harness"
	"github.com/memverbs/memverbs/tests/transcript"
	"github.com/memverbs/memverbs/verbs/catalog"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

var write = flag.String("write", "", "write the items of this folder as this version stores them")

// The three transcripts of a kind, by the ends of their names.
const (
	made  = ".made.txt"
	items = ".items.txt"
	read  = ".read.txt"
)

// settings are those of every memverbs here. They leave a busy machine the time that it needs.
var settings = []string{"--structure-item-size", "1KB", "--log-chunk", "1h", "--log-chunks", "10", "--namespaces", "shop:", "--timeout", "20s", "--connect-timeout", "20s"}

// files returns the transcripts of a folder with such names, without the end.
func files(t *testing.T, folder, end string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"+end))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s in %s, %v", end, folder, err)
	}
	for _, path := range paths {
		names = append(names, strings.TrimSuffix(path, end))
	}
	return names
}

func play(t *testing.T, path, addr string) {
	t.Helper()
	script, err := transcript.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	script.Continue(t, addr)
}

// What releases have stored is read as they would read it, and can be changed.
func TestStoredByReleases(t *testing.T) {
	t.Parallel()
	clocks, err := filepath.Glob("*/clock")
	if err != nil || len(clocks) == 0 {
		t.Fatalf("no release, %v", err)
	}
	for _, clock := range clocks {
		text, err := os.ReadFile(clock)
		if err != nil {
			t.Fatal(err)
		}
		then, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files(t, filepath.Dir(clock), items) {
			t.Run(filepath.ToSlash(name), func(t *testing.T) {
				t.Parallel()
				m := harness.StartMemcached(t, harness.Newest)
				play(t, name+items, m.Addr)
				flags := append([]string{"--upstream", m.Addr}, settings...)
				play(t, name+read, harness.StartMemverbsAhead(t, time.Until(then), flags...).Addr)
			})
		}
	}
}

// Each verb is among those that read what the newest release has stored.
func TestEachVerbReads(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("*/clock")
	if err != nil {
		t.Fatal(err)
	}
	var asked strings.Builder
	for _, name := range files(t, filepath.Dir(folders[len(folders)-1]), read) {
		text, err := os.ReadFile(name + read)
		if err != nil {
			t.Fatal(err)
		}
		asked.Write(text)
	}
	for _, v := range catalog.All {
		if !regexp.MustCompile(`(?m)^> `+v.Name+` `).MatchString(asked.String()) && v.Name != "help" {
			t.Errorf("no %s asks for %s", read, v.Name)
		}
	}
}

// TestWrite writes nothing without its flag.
func TestWrite(t *testing.T) {
	if *write == "" {
		t.Skip("it writes only with -write")
	}
	for _, name := range files(t, *write, made) {
		m := harness.StartMemcached(t, harness.Newest, "-I", "4k", "-o", "slab_chunk_max=2") // so that a segment has several parts
		proxy := harness.StartMemverbs(t, append([]string{"--upstream", m.Addr}, settings...)...)
		play(t, name+made, proxy.Addr)
		proxy.Stop(t) // so that it compacts nothing any more
		if err := os.WriteFile(name+items, dump(t, m.Addr), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	writeNames(t, *write)
	clock := time.Now().Add(time.Second).UTC().Format(time.RFC3339) // to the second
	if err := os.WriteFile(filepath.Join(*write, "clock"), []byte(clock+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
