//go:build profile

package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
)

// A program built with -tags profile takes a profile of its processor time from
// one SIGUSR1 to the next, and writes it to the file that the environment names.
// The benchmark builds it so; the program that is shipped has none of this.
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

// takeProfile takes a profile until something comes from stop. The file has its
// name only when it is whole.
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
