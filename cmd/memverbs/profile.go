//go:build profile

package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
)

// A program built with -tags profile takes a profile of its processor time from one
// SIGUSR1 to the next, and writes it to the file in MEMVERBS_PROFILE. Only the
// benchmark builds it like this; the shipped program has none of it.
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
