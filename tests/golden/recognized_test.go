package golden

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/verbs/catalog"
)

// item is an item that a release has stored.
type item struct {
	flags uint32
	value []byte
}

func (i item) isHead() bool { return catalog.IsHead(i.flags, i.value) }

// plain are the values of plain items: in a namespace, and its generation.
var plain = []string{"old", "new", "KYpNoEYJ"}

// What verbs of releases have stored is recognized, and plain items are not taken for it.
func TestStoredIsRecognized(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob("*/clock")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no release, %v", err)
	}
	for _, folder := range folders {
		for _, name := range files(t, filepath.Dir(folder), items) {
			stored := storedItems(t, name+items)
			for key, i := range stored {
				bases, sure := catalog.Bases([]byte(key))
				part := sure || slices.ContainsFunc(bases, func(base []byte) bool {
					of, found := stored[string(base)]
					return found && of.isHead()
				})
				if recognized := part || i.isHead(); recognized == slices.Contains(plain, string(i.value)) {
					t.Errorf("%s: %s is recognized: %t; %.60q", name, key, recognized, i.value)
				}
			}
		}
	}
}

var escaped = regexp.MustCompile(`\\(x[0-9a-f]{2}|.)`)

// unescape undoes what escape does.
func unescape(text string) []byte {
	return escaped.ReplaceAllFunc([]byte(text), func(found []byte) []byte {
		if found[1] != 'x' {
			return found[1:]
		}
		c, _ := strconv.ParseUint(string(found[2:]), 16, 8)
		return []byte{byte(c)}
	})
}

// storedItems reads the items from a transcript that dump has written.
func storedItems(t *testing.T, path string) map[string]item {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(bytes.Split(text, []byte("\n")), func(line []byte) bool { return bytes.HasPrefix(line, []byte("#")) })
	stored := map[string]item{}
	for n := 0; n+2 < len(lines); n += 3 {
		var key string
		var i item
		var exptime, size int
		if _, err := fmt.Sscanf(string(lines[n]), "> set %s %d %d %d", &key, &i.flags, &exptime, &size); err != nil {
			t.Fatalf("%s:%d: %v", path, n+1, err)
		}
		if i.value = unescape(strings.TrimPrefix(string(lines[n+1]), "> ")); len(i.value) != size {
			t.Fatalf("%s:%d: %d bytes, expected %d", path, n+2, len(i.value), size)
		}
		stored[string(unescape(key))] = i
	}
	return stored
}
