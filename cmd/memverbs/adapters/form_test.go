package adapters

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkers are the programs that look at files of a language, by the ends of their names, without running them.
var checkers = map[string][]string{
	".py":  {"pyflakes3"},
	".php": {"/usr/bin/php", "-l"},
	".rb":  {"/usr/bin/ruby", "-wc"},
	".js":  {"node", "--check"},
}

// No checker has anything to say of the adapters but that all is well. Those in Go are looked at with all else in Go.
func TestForm(t *testing.T) {
	t.Parallel()
	well := strings.NewReplacer("Syntax OK", "", "No syntax errors detected in ", "")
	checked := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		checker := checkers[filepath.Ext(path)]
		if err != nil || checker == nil {
			return err
		}
		checked[filepath.Ext(path)] = true
		said, err := exec.CommandContext(t.Context(), checker[0], append(slices.Clone(checker[1:]), path)...).CombinedOutput()
		if rest := strings.TrimSpace(strings.ReplaceAll(well.Replace(string(said)), path, "")); err != nil || rest != "" {
			t.Errorf("%s %s: %v\n%s", checker, path, err, said)
		}
		return nil
	})
	if err != nil || len(checked) != len(checkers) {
		t.Errorf("checked %v, %v", checked, err)
	}
}
