//go:build linux

package main

import (
	"os"
	"syscall"
)

// spareFiles is how many descriptors a program needs beside those of a load's
// connections.
const spareFiles = 300

// openFiles returns how many files a process may have open at most.
func openFiles() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return 1024 // what most systems allow
	}
	return int(min(limit.Max, 1<<20))
}

// raiseFileLimit lets this program, and those that it starts, have as many
// connections as the system allows.
func raiseFileLimit() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return os.NewSyscallError("getrlimit", err)
	}
	limit.Cur = limit.Max
	return os.NewSyscallError("setrlimit", syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
}
