//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// spent is the processor time that has gone into a contestant, into the
// memcacheds behind it, into this program and into all that runs on the machine,
// until a moment on the clock of now.
type spent struct {
	at           time.Duration
	user, system time.Duration
	stores       time.Duration
	load         time.Duration
	machine      time.Duration
}

func (c *contestant) spent() (s spent, err error) {
	s.at = time.Duration(now())
	t, err := readTimes(c.process.stat())
	if err != nil {
		return s, err
	}
	s.user, s.system = t.user, t.system
	for _, store := range c.stores {
		t, err := readTimes(store.stat())
		if err != nil {
			return s, err
		}
		s.stores += t.user + t.system
	}
	var own unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &own); err != nil {
		return s, os.NewSyscallError("getrusage", err)
	}
	s.load = time.Duration(own.Utime.Nano() + own.Stime.Nano())
	s.machine, err = machineTime()
	return s, err
}

// sub returns what was spent between t and s.
func (s spent) sub(t spent) spent {
	return spent{s.at - t.at, s.user - t.user, s.system - t.system, s.stores - t.stores, s.load - t.load, s.machine - t.machine}
}

// times is the processor time that all threads of a process have had, and its
// children that are no more.
type times struct{ user, system, children time.Duration }

func (p *process) stat() string { return fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid) }

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
