package harness

import (
	"os"
	"path/filepath"
	"testing"
)

// root returns the top of the repository: where go.mod is, above the folder
// that the test runs in.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("the tests are not run from within the repository")
		}
		dir = filepath.Dir(dir)
	}
}
