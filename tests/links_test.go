package tests

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`) // from a heading, to make its anchor
)

// Every link in a document leads to a file, or to a section of another document, that is there.
func TestLinksOfDocuments(t *testing.T) {
	found := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && strings.HasPrefix(name, ".") && name != ".." {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			for _, to := range link.FindAllStringSubmatch(document(t, path), -1) {
				found++
				checkLink(t, path, to[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("there are no links")
	}
}

// checkLink checks a link in the document at path.
func checkLink(t *testing.T, path, to string) {
	t.Helper()
	if strings.Contains(to, "://") {
		return
	}
	file, anchor, _ := strings.Cut(to, "#")
	if file != "" {
		path = filepath.Join(filepath.Dir(path), file)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("a link to %s: %v", to, err)
		return
	}
	if anchor != "" && !anchors(document(t, path))[anchor] {
		t.Errorf("a link to %s: %s has no such section", to, path)
	}
}

// anchors returns the names by which the sections of a document are linked to.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		name := dropped.ReplaceAllString(strings.ToLower(h[1]), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}
