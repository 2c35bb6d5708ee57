//go:build linux

package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// describeMachine is the head of the report: what was run, when and on what.
func describeMachine(o *options, args string, when time.Time) string {
	command := "make bench"
	if args != "" {
		command = fmt.Sprintf("make bench ARGS='%s'", args)
	}
	var b strings.Builder
	for _, line := range [][2]string{
		{"Date", when.UTC().Format("2006-01-02 15:04 UTC")},
		{"Command", "`" + command + "`"},
		{"Processor", fmt.Sprintf("%s, %d cores", processor(), runtime.NumCPU())},
		{"Kernel", "Linux " + strings.TrimSpace(read("/proc/sys/kernel/osrelease"))},
		{"Programs", versions(o)},
		{"Revision", firstLine("git", "describe", "--always", "--dirty", "--abbrev=12")},
	} {
		fmt.Fprintf(&b, "- %s: %s\n", line[0], line[1])
	}
	fmt.Fprintf(&b, "\nThe load (%d thread%s), the proxy and the memcacheds all share these cores; nothing is pinned to any of them.\n"+
		"Each turn is measured for %v s (sweeps for half of that, bystanders for %d times as long) after %v of load that is not counted.\n",
		o.threads, plural(o.threads), o.seconds, rowTurn, o.warmup)
	return b.String()
}

// processor returns the name of the first processor.
func processor() string {
	for line := range strings.Lines(read("/proc/cpuinfo")) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// read returns the content of a file, nothing if it can't be read.
func read(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}
