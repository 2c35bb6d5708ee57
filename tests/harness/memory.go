package harness

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// MaxResident is the most memory, in bytes, that the process may take for clients that
// do not read.
const MaxResident = 128 << 20

// uncounted is how much memory, in bytes, the process may take beside its buffers.
const uncounted = 64 << 20

// PeakMemory returns the most resident memory, in bytes, that the process has had so far.
func (m *Memverbs) PeakMemory(t testing.TB) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.Pid()))
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.Atoi(strings.Fields(line)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}

// CheckResident fails the test if the process has taken more than [MaxResident]. It logs how much that
// was, and what it was for.
func (m *Memverbs) CheckResident(t testing.TB, what string) {
	t.Helper()
	m.checkPeak(t, what, MaxResident)
}

// CheckBuffers fails the test if the process has taken more memory than its buffers, of so many bytes,
// account for. It allows a sixteenth of them in addition: that may be allocated during a garbage
// collection, on a machine that is busy with other work.
func (m *Memverbs) CheckBuffers(t testing.TB, buffers int) {
	t.Helper()
	m.checkPeak(t, "buffers", buffers+buffers/16+uncounted)
}

func (m *Memverbs) checkPeak(t testing.TB, what string, bound int) {
	t.Helper()
	most := m.PeakMemory(t)
	t.Logf("%s: %.1f MB resident at most", what, float64(most)/(1<<20))
	if most > bound {
		t.Errorf("%s: %.1f MB resident, more than %d", what, float64(most)/(1<<20), bound>>20)
	}
}
