// Package profiled has a program take a profile of its processor time, for the benchmark.
package profiled

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
)

// The profile is from one SIGUSR1 to the next, and is written to the file in MEMVERBS_PROFILE.
func init() {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		for range signals {
			if err := takeProfile(os.Getenv("MEMVERBS_PROFILE"), signals); err != nil {
				fmt.Fprintf(os.Stderr, "memverbs: no profile: %v\n", err)
			}
		}
	}()
}

// takeProfile takes a profile until stop receives a signal. The file gets its final
// name only when it is complete.
func takeProfile(path string, stop <-chan os.Signal) error {
	f, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	<-stop
	pprof.StopCPUProfile()
	return os.Rename(f.Name(), path)
}
