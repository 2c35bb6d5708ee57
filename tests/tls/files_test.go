package tls

import (
	"os"
	"testing"
)

// appendTo adds text to a file.
func appendTo(t *testing.T, path, text string) {
	t.Helper()
	before, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(before, text...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// copyFile replaces a file by another one, at once.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to+".new", content, 0o600)
	}
	if err == nil {
		err = os.Rename(to+".new", to)
	}
	if err != nil {
		t.Fatal(err)
	}
}
