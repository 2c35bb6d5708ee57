package harness

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// StartMemverbsAhead is [StartPlainMemverbs] for a program whose clock is ahead of the machine's, or behind it if ahead
// is negative. That concerns only the time of day that its verbs go by. Processes of one machine share a clock, which Go
// reads without a system call. So the program is built from a file in which the tests have changed the one line that
// reads the clock. The program takes the difference from the name by which it is started.
func StartMemverbsAhead(t testing.TB, ahead time.Duration, flags ...string) *Memverbs {
	t.Helper()
	path := shifted.build(t)
	name := path + "@" + ahead.String()
	if err := os.Symlink(path, name); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	return startMemverbs(t, name, flags)
}

// clockFile is where the clock is read, below the root of the repository.
const clockFile = "proxy/latency/stamp.go"

// changes are the texts that are replaced in clockFile, and what replaces them.
var changes = [][2]string{
	{`import "time"`, "import (\n\"os\"\n\"strings\"\n\"time\"\n)"},
	{"read.UnixMicro()", "read.Add(ahead()).UnixMicro()"},
}

// aheadFunc is a function that is added to clockFile.
const aheadFunc = `
func ahead() time.Duration {
	_, text, _ := strings.Cut(os.Args[0], "@")
	ahead, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return ahead
}
`

// overlayClock writes to a folder what go build needs to replace the clock by a shifted one, and returns the flag for
// that.
func overlayClock(root, folder string) (flag string, err error) {
	original := filepath.Join(root, clockFile)
	content, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	text := string(content)
	for _, change := range changes {
		if strings.Count(text, change[0]) != 1 {
			return "", errors.New(clockFile + " does not have " + change[0] + " once")
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	changed, overlay := filepath.Join(folder, "clock.go"), filepath.Join(folder, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	return "-overlay=" + overlay, errors.Join(os.WriteFile(changed, []byte(text+aheadFunc), 0o600), os.WriteFile(overlay, list, 0o600))
}
