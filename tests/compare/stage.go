//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// stage is the processes of one load.
type stage struct {
	folder      string
	processes   []*process
	contestants []*contestant
}

// contestant is one of those compared.
type contestant struct {
	*process
	stores []*process // the memcacheds behind it
}

// The places of the two proxies among the contestants.
const (
	nutcracker = iota
	memverbs
)

// setStage starts two memcacheds and what is to stand before them. The caller
// clears the stage, also beside an error.
func setStage(ctx context.Context, folder string, o *options) (*stage, error) {
	s := &stage{folder: folder}
	for range 2 {
		if err := s.memcached(o); err != nil {
			return s, err
		}
	}
	stores := s.processes
	for _, proxy := range []func([]*process, *options) error{nutcracker: s.nutcracker, memverbs: s.memverbs} {
		if err := proxy(stores, o); err != nil {
			return s, err
		}
		s.contestants = append(s.contestants, &contestant{s.processes[len(s.processes)-1], stores})
	}
	if o.alone {
		s.contestants = append(s.contestants, &contestant{process: stores[0]})
	}
	return s, context.Cause(ctx)
}

func (s *stage) clear() {
	for _, p := range s.processes {
		p.kill()
	}
}

func (s *stage) start(name, addr, path string, args ...string) error {
	p, err := start(s.folder, name, addr, path, args...)
	if err != nil {
		return err
	}
	s.processes = append(s.processes, p)
	return nil
}

func (s *stage) memcached(o *options) error {
	port, addr, err := freePort()
	if err != nil {
		return err
	}
	args := []string{"-l", "127.0.0.1", "-p", strconv.Itoa(port), "-U", "0", "-t", "2"}
	if os.Geteuid() == 0 {
		// Not another user: the kernel forgets Pdeathsig when that changes.
		args = append(args, "-u", "root")
	}
	return s.start("memcached", addr, o.memcached, args...)
}

// nutcrackerConfig has the hash that memverbs places keys by, so that the same
// share of the load goes to each memcached.
const nutcrackerConfig = `pool:
  listen: %s
  hash: md5
  distribution: ketama
  auto_eject_hosts: false
  timeout: 1000
  servers:
   - %s:1
   - %s:1
`

func (s *stage) nutcracker(stores []*process, _ *options) error {
	_, addr, err := freePort()
	if err != nil {
		return err
	}
	statsPort, _, err := freePort()
	if err != nil {
		return err
	}
	config := filepath.Join(s.folder, "nutcracker.yml")
	text := fmt.Sprintf(nutcrackerConfig, addr, stores[0].addr, stores[1].addr)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return err
	}
	return s.start("nutcracker", addr, "nutcracker", "-c", config, "-a", "127.0.0.1", "-s", strconv.Itoa(statsPort),
		"-p", filepath.Join(s.folder, "nutcracker.pid"), "-o", "/dev/stderr")
}

func (s *stage) memverbs(stores []*process, o *options) error {
	_, addr, err := freePort()
	if err != nil {
		return err
	}
	args := []string{"--listen", addr, "--upstream", stores[0].addr + "," + stores[1].addr}
	if o.loops > 0 {
		args = append(args, "--loops", strconv.Itoa(o.loops))
	}
	return s.start("memverbs", addr, o.memverbs, args...)
}

// buildMemverbs builds the program from the repository, the way it is shipped.
func buildMemverbs(ctx context.Context, folder string) (path string, err error) {
	path = filepath.Join(folder, "memverbs")
	build := exec.CommandContext(ctx, "go", "build", "-o", path, "github.com/memverbs/memverbs/cmd/memverbs")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("memverbs does not build: %w\n%s", err, said)
	}
	return path, nil
}

// versions says in one line what is compared.
func versions(o *options) string {
	var lines []string
	for _, path := range []string{"nutcracker", o.memverbs, o.memcached} {
		said, _ := exec.Command(path, "--version").CombinedOutput() // what is missing is noticed when it is needed
		line, _, _ := strings.Cut(string(said), "\n")
		lines = append(lines, strings.TrimPrefix(line, "This is "))
	}
	return strings.Join(lines, ", ")
}
