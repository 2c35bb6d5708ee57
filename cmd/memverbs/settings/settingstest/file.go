package settingstest

import (
	"os"
	"path/filepath"
	"testing"
)

// Smallest is a file with nothing that could be left out.
const Smallest = "pools:\n  main:\n    listen: [':1']\n    servers: [a]\n"

// Write writes a file with settings, and returns its path.
func Write(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "memverbs.yml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
