package yamlfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Texts are as they are written, whatever YAML would make of them.
func TestTexts(t *testing.T) {
	t.Parallel()
	root, err := Parse("f", []byte("\ufeff# head\r\n---\r\nlist: [0700, no, ':1', 1e3, \"a\\tb\", 'it''s', :11211, 10.0.0.1:1:2 x]\r\nnull: ~x # why\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := root.Entries()
	if err != nil || len(entries) != 2 || entries[0].Key != "list" || entries[1].Key != "null" || entries[1].At.At() != "f:4:1" {
		t.Fatalf("%+v, %v", entries, err)
	}
	list, err := entries[0].Value.List()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, n := range append(list, entries[1].Value) {
		text, err := n.Text()
		if err != nil {
			t.Error(err)
		}
		texts = append(texts, text)
	}
	if expected := []string{"0700", "no", ":1", "1e3", "a\tb", "it's", ":11211", "10.0.0.1:1:2 x", "~x"}; !slices.Equal(texts, expected) {
		t.Errorf("%q, expected %q", texts, expected)
	}
}

// A file that has no end is not read to it, and one that is not there is named.
func TestRead(t *testing.T) {
	t.Parallel()
	if _, err := Read("/dev/zero"); err == nil || err.Error() != "/dev/zero:1:1: the file is longer than 1048576 bytes" {
		t.Errorf("an endless file: %v", err)
	}
	path := filepath.Join(t.TempDir(), "f")
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(path, []byte("a: b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if root, err := Read(path); err != nil || root.At() != path+":1:1" {
		t.Errorf("%v, %v", root, err)
	}
}
