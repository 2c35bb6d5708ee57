//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// profileLines is how many functions of a profile are printed.
const profileLines = "50"

// partEnding ends the name of a profile that is not complete, as package profiled has it.
const partEnding = ".part"

// profile puts memverbs alone under the load of a cell, built to take a profile
// of its processor time (cmd/memverbs/profile.go), and prints where that went.
func profile(ctx context.Context, o *options, parts []*part, out, told io.Writer) error {
	c, err := find(parts, o.cells)
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(".cache/profile")
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return err
	}
	// A profile has the path of the program, too.
	built, err := os.MkdirTemp("", "memverbs")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(built) }()
	if o.memverbs, err = buildMemverbs(ctx, built, profiling); err != nil {
		return err
	}
	if c.after != nil {
		if err := c.after.run(ctx, folder, o, newProgress(told, parts, o)); err != nil {
			return err
		}
	}
	path := filepath.Join(folder, c.name+".prof")
	os.Remove(path)
	os.Remove(path + partEnding)
	os.Setenv("MEMVERBS_PROFILE", path)
	if err := c.takeProfile(ctx, folder, o, path, out); err != nil {
		return err
	}
	show := exec.CommandContext(ctx, "go", "tool", "pprof", "-top", "-nodecount="+profileLines, o.memverbs, path)
	show.Stdout, show.Stderr = out, told
	if err := show.Run(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nFor more: go tool pprof -http=: %s\n", path)
	return nil
}

// takeProfile has memverbs take a profile under the load of the cell, and waits
// until the profile is in the file at path.
func (c *cell) takeProfile(ctx context.Context, folder string, o *options, path string, out io.Writer) error {
	s := &stage{ctx: ctx, folder: folder, options: o}
	defer s.clear()
	contestants, err := c.set(s)
	if err != nil {
		return err
	}
	for i, name := range c.names {
		if name != c.subject {
			continue
		}
		processes := contestants[i].processes // of which the first takes the profile
		measured := &contestant{processes: processes, open: func() (driver, error) {
			d, err := contestants[i].open()
			return &signalling{d, processes[0].Signal, func() error { return awaitFile(ctx, path+partEnding) }}, err
		}}
		length, warmup := c.lengthOf(o)
		f, _, err := turn(ctx, measured, length, warmup)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %s\n%.0f requests/s, %.2f µs of processor time each\n\n", c.name, c.what, f[requests], f[cpu])
		return awaitFile(ctx, path)
	}
	return fmt.Errorf("%s: memverbs has no part in it", c.name)
}

// signalling is a driver that has the process take its profile from the beginning
// of the window on, until all is answered. A process that has not begun by then could take the two signals for one.
type signalling struct {
	driver
	signal func(os.Signal) error
	begun  func() error // waits until the process has begun
}

func (s *signalling) Run(w load.Window) (load.Count, error) {
	signaled := make(chan error, 1)
	time.AfterFunc(time.Duration(w.From-load.Now()), func() { signaled <- s.signal(syscall.SIGUSR1) })
	count, err := s.driver.Run(w)
	return count, errors.Join(err, <-signaled, s.begun(), s.signal(syscall.SIGUSR1))
}

// find returns the cell with a name.
func find(parts []*part, name string) (*cell, error) {
	for _, p := range parts {
		for _, c := range p.cells {
			if c.name == name {
				return c, nil
			}
		}
	}
	return nil, fmt.Errorf("-profile: -cell must name one cell, not %q", name)
}

// awaitFile waits until a file is there.
func awaitFile(ctx context.Context, path string) error {
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		if _, err := os.Stat(path); err == nil {
			return nil
		}
		if err := wait(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("memverbs has written no profile to %s", path)
}
