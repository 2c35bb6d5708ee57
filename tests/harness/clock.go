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

// StartMemverbsAhead is [StartPlainMemverbs] for a program whose clock is ahead of the machine's by so much, or behind it
// if that is negative: it tells verbs, and keys that carry them, another time of the day, while time passes as for
// others. Processes of one machine share their clock, which Go reads without a system call, so the program is built
// with a file in which the tests have changed the one line that reads it. It takes the difference from the name that it
// is started by.
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

// changes are what is changed there.
var changes = [][2]string{
	{`import "time"`, "import (\n\"os\"\n\"strings\"\n\"time\"\n)"},
	{"time.Now().UnixMilli()", "time.Now().Add(ahead()).UnixMilli()"},
}

// aheadFunc is added to it.
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

// overlayClock writes what the builder needs to use a shifted clock to a folder, and returns the flag that
// says so.
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
