package harness

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// StartFastMemverbs is [StartPlainMemverbs] for a program whose verbs read a clock that is a minute
// fast. Processes of one machine share their clock, so the program is built with a file of which
// the tests have changed that one line.
func StartFastMemverbs(t testing.TB, flags ...string) *Memverbs {
	t.Helper()
	return startMemverbs(t, fast.build(t), flags)
}

// clockFile is where verbs read the clock, below the root of the repository.
const clockFile = "proxy/latency/clock.go"

const (
	rightClock = "time.Now().UnixMilli()"
	fastClock  = "time.Now().Add(time.Minute).UnixMilli()"
)

// overlayClock writes what the builder needs to use a fast clock to a folder, and returns the flag that
// says so.
func overlayClock(root, folder string) (flag string, err error) {
	original := filepath.Join(root, clockFile)
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	if strings.Count(string(text), rightClock) != 1 {
		return "", errors.New(clockFile + " does not read the clock by " + rightClock + " once")
	}
	changed, overlay := filepath.Join(folder, "clock.go"), filepath.Join(folder, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	return "-overlay=" + overlay, errors.Join(
		os.WriteFile(changed, []byte(strings.Replace(string(text), rightClock, fastClock, 1)), 0o600),
		os.WriteFile(overlay, list, 0o600))
}
