package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// firstRevision stands for the last release until there is one: from then on the first release reads what is stored as
// this revision does.
const firstRevision = "986278ccc6011ab63b676f3423be7f09afdfea88"

// lastRelease returns the newest release before this revision.
func lastRelease(root string) string {
	describe := exec.Command("git", "-C", root, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^")
	if tag, err := describe.Output(); err == nil {
		return strings.TrimSpace(string(tag))
	}
	return firstRevision
}

// StartRelease is [StartPlainMemverbs] for the last release. The test is skipped in a clone that does not have it.
func StartRelease(t testing.TB, flags ...string) *Memverbs {
	t.Helper()
	top := root(t)
	revision := lastRelease(top)
	if err := exec.Command("git", "-C", top, "cat-file", "-e", revision+"^{commit}").Run(); err != nil {
		t.Skipf("this clone does not have the last release, %s: %v", revision, err)
	}
	return startMemverbs(t, release.build(t), flags)
}

// unpackRelease puts the sources of the last release into a folder below the one given, and returns its name.
func unpackRelease(root, folder string) (string, error) {
	archive, sources := filepath.Join(folder, "release.tar"), filepath.Join(folder, "release")
	if err := os.Mkdir(sources, 0o700); err != nil {
		return "", err
	}
	for _, command := range []*exec.Cmd{
		exec.Command("git", "-C", root, "archive", "-o", archive, lastRelease(root)),
		exec.Command("tar", "-xf", archive, "-C", sources),
	} {
		if said, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%v: %w: %s", command.Args, err, said)
		}
	}
	return sources, nil
}
