//go:build linux

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/tests/spawn"
)

// resetPeak has the kernel forget how much memory the process has held so far.
// Where the kernel can't (it needs CONFIG_PROC_PAGE_MONITOR), the peak is that
// since the process was started.
func resetPeak(p *spawn.Process) {
	os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.Pid()), []byte("5"), 0)
}

// occupied is what processes hold of memory, in bytes.
type occupied struct {
	peak    int // resident memory at most
	private int // at the end, without what is mapped from files, such as the program itself
}

// memoryOf returns the memory of processes, all together.
func memoryOf(processes []*spawn.Process) (sum occupied, err error) {
	for _, p := range processes {
		peak, err := readPeak(p)
		if err != nil {
			return occupied{}, err
		}
		private, err := readMemory(p, "RssAnon:")
		if err != nil {
			return occupied{}, err
		}
		sum.peak += peak
		sum.private += private
	}
	return sum, nil
}

// readPeak returns the most memory that the process has held, in bytes.
func readPeak(p *spawn.Process) (int, error) { return readMemory(p, "VmHWM:") }

// residentOf returns the memory that processes hold, all together, in bytes.
func residentOf(processes []*spawn.Process) (sum int, err error) {
	for _, p := range processes {
		n, err := readMemory(p, "VmRSS:")
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// readMemory returns the figure, in bytes, in the line of that name of what the kernel reports about a process.
func readMemory(p *spawn.Process, name string) (int, error) {
	path := fmt.Sprintf("/proc/%d/status", p.Pid())
	status, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == name {
			kB, err := strconv.Atoi(fields[1])
			return kB << 10, err
		}
	}
	return 0, fmt.Errorf("%s has no %s", path, name)
}
