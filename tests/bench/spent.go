//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// spent is the processor time that a contestant, the memcacheds behind it, this program
// and all processes of the machine have taken until a moment on the clock of load.Now.
type spent struct {
	at           time.Duration
	cpu          time.Duration // of the contestant
	user, system time.Duration // how much of it outside the kernel, and in it
	stores       time.Duration
	load         time.Duration
	machine      time.Duration
}

func (c *contestant) spent() (s spent, err error) {
	s.at = time.Duration(load.Now())
	for _, process := range c.processes {
		total, err := clock(process.Pid())
		if err != nil {
			return s, err
		}
		t, err := readTimes(fmt.Sprintf("/proc/%d/stat", process.Pid()))
		if err != nil {
			return s, err
		}
		s.cpu, s.user, s.system = s.cpu+total, s.user+t.user, s.system+t.system
	}
	for _, store := range c.stores {
		t, err := clock(store.Pid())
		if err != nil {
			return s, err
		}
		s.stores += t
	}
	if s.load, err = clock(os.Getpid()); err != nil {
		return s, err
	}
	s.machine, err = machineTime()
	return s, err
}

// sub returns what was spent between t and s. The clock that tells user from
// system time is a coarse one, so it only says how cpu is to be shared out.
func (s spent) sub(t spent) spent {
	d := spent{s.at - t.at, s.cpu - t.cpu, s.user - t.user, s.system - t.system, s.stores - t.stores, s.load - t.load, s.machine - t.machine}
	if sum := d.user + d.system; sum > 0 {
		d.user = time.Duration(float64(d.cpu) * float64(d.user) / float64(sum))
		d.system = d.cpu - d.user
	}
	return d
}

// others returns the share of the machine that went to whatever else ran on it, in percent.
func (s spent) others() float64 {
	theirs := s.machine - (s.cpu + s.stores + s.load)
	return 100 * max(0, theirs.Seconds()/(s.at.Seconds()*float64(runtime.NumCPU())))
}

// clock returns the processor time that all threads of a process have had, to
// the nanosecond. Linux makes the number of that clock from the process's (see
// clock_getcpuclockid).
func clock(pid int) (time.Duration, error) {
	const scheduler = 2 // the time that the scheduler has counted
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduler), &t); err != nil {
		return 0, fmt.Errorf("processor time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// times is the processor time that all threads of a process have had, and its
// children that are no more.
type times struct{ user, system, children time.Duration }

// tick is the unit of time in /proc: Linux has 100 a second for all who ask.
const tick = time.Second / 100

// readTimes reads the file that /proc has about a process.
func readTimes(path string) (t times, err error) {
	stat, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	// The name is in parentheses and may hold anything. Behind it comes the
	// third field; the times are the fourteenth to the seventeenth.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 15 {
		return t, fmt.Errorf("%s: can't be read: %q", path, stat)
	}
	var ticks [4]time.Duration
	for i := range ticks {
		n, err := strconv.ParseInt(string(fields[11+i]), 10, 64)
		if err != nil {
			return t, fmt.Errorf("%s: %w", path, err)
		}
		ticks[i] = time.Duration(n) * tick
	}
	return times{ticks[0], ticks[1], ticks[2] + ticks[3]}, nil
}

// machineTime returns what all processes have had. (/proc/stat would say it in
// one line, but is sampled by a clock and takes many a short idle moment for a
// busy one.)
func machineTime() (sum time.Duration, err error) {
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	for _, path := range paths {
		if t, err := readTimes(path); err == nil { // it may have ended meanwhile
			sum += t.user + t.system + t.children
		}
	}
	return sum, nil
}
