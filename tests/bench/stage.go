//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/spawn"
)

// stage is the processes of one cell.
type stage struct {
	ctx     context.Context
	folder  string
	options *options
	servers []*server
	shown   *certificate // nil before anything needs it
}

// clear ends all processes.
func (s *stage) clear() {
	for _, p := range s.servers {
		p.Kill()
	}
}

// said is what the processes have said and how those ended that have, for the
// message of a failure.
func (s *stage) said() error {
	var all []error
	for _, p := range s.servers {
		text := p.Said()
		text = text[max(0, len(text)-2000):]
		if !p.Running() {
			text += fmt.Sprintf("(ended: %v)", p.Err())
		}
		if text != "" {
			all = append(all, fmt.Errorf("%s said: %s", p.Name, text))
		}
	}
	return errors.Join(all...)
}

// start starts a program that listens at a target and speaks memcached's
// protocol there, and waits until it does.
func (s *stage) start(name string, at load.Target, path string, args ...string) (*server, error) {
	return s.startAsking("get ready\r\n", "END\r\n", name, at, path, args...)
}

// startAsking starts a program that listens at a target, and waits until it
// replies to a request as it should.
func (s *stage) startAsking(request, reply, name string, at load.Target, path string, args ...string) (*server, error) {
	if err := context.Cause(s.ctx); err != nil {
		return nil, err
	}
	p, err := spawn.Start(name, path, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	started := &server{Process: p, Target: at}
	s.servers = append(s.servers, started)
	return started, started.await(request, reply)
}

// target returns where a server can listen: a free port, or a path. Network "tls" is
// a port where it has to speak TLS.
func (s *stage) target(network string) (load.Target, error) {
	if network == "unix" {
		return load.Target{Network: network, Addr: filepath.Join(s.folder, fmt.Sprintf("%d.sock", len(s.servers)))}, nil
	}
	port, err := spawn.FreePort()
	at := load.Target{Network: "tcp", Addr: spawn.Loopback(port)}
	if network == "tls" && err == nil {
		var c *certificate
		if c, err = s.certificate(); err == nil {
			at.TLS = c.client
		}
	}
	return at, err
}

// memcacheds starts so many memcacheds.
func (s *stage) memcacheds(n int, network string) (stores []*server, err error) {
	for range n {
		at, err := s.target(network)
		if err != nil {
			return nil, err
		}
		args := append(memcachedArgs(at), "-t", "2", "-m", "1024")
		if at.TLS != nil {
			args = append(args, "-Z", "-o", fmt.Sprintf("ssl_session_cache,ssl_chain_cert=%s,ssl_key=%s", s.shown.cert, s.shown.key))
		}
		store, err := s.start(memcached, at, s.options.memcached, args...)
		if err != nil {
			return nil, err
		}
		stores = append(stores, store)
	}
	return stores, nil
}

// memcachedArgs are the arguments that every memcached is started with, whether it
// is a store or a proxy.
func memcachedArgs(at load.Target) []string {
	args := []string{"-c", "4096", "-U", "0"}
	if at.Network == "unix" {
		args = append(args, "-s", at.Addr)
	} else {
		host, port, _ := strings.Cut(at.Addr, ":")
		args = append(args, "-l", host, "-p", port)
	}
	if os.Geteuid() == 0 {
		args = append(args, "-u", "root") // not another user: the kernel would let it survive us
	}
	return args
}

// How keys are placed, in nutcracker's words. These are its defaults.
const distribution, hash = "ketama", "fnv1a_64"

// nutcracker starts nutcracker with its default buffers in front of stores.
func (s *stage) nutcracker(stores []*server, network string) (*server, error) {
	at, err := s.target(network)
	if err != nil {
		return nil, err
	}
	statsPort, err := spawn.FreePort()
	if err != nil {
		return nil, err
	}
	var pool strings.Builder
	fmt.Fprintf(&pool, "pool:\n  listen: %s\n  hash: %s\n  distribution: %s\n"+
		"  auto_eject_hosts: false\n  timeout: 5000\n  servers:\n", at.Addr, hash, distribution)
	for i, store := range stores {
		fmt.Fprintf(&pool, "   - %s:1 store%d\n", store.Addr, i)
	}
	config := filepath.Join(s.folder, "nutcracker.yml")
	if err := os.WriteFile(config, []byte(pool.String()), 0o600); err != nil {
		return nil, err
	}
	n, err := s.start(nutcracker, at, s.options.nutcracker, "-c", config, "-a", "127.0.0.1", "-s", strconv.Itoa(statsPort),
		"-p", filepath.Join(s.folder, "nutcracker.pid"), "-o", "/dev/stderr")
	if err != nil {
		return nil, err
	}
	n.stores = stores
	return n, nil
}

// memverbs starts memverbs in front of stores, which all speak TLS or do not, and has
// it place keys as nutcracker does.
func (s *stage) memverbs(stores []*server, network string, flags ...string) (*server, error) {
	return s.placing(s.options.memverbs, stores, network, flags...)
}

// placing starts the memverbs at a path, likewise.
func (s *stage) placing(path string, stores []*server, network string, flags ...string) (*server, error) {
	args := []string{"--layout", fmt.Sprintf("twemproxy:%s:%s", distribution, hash)}
	for i, store := range stores {
		upstream := fmt.Sprintf("%s:1 store%d", store.Addr, i)
		if network == "unix" {
			upstream = "unix:" + upstream
		}
		args = append(args, "--upstream", upstream)
	}
	if stores[0].TLS != nil {
		args = append(args, "--server-tls-ca", s.shown.cert)
	}
	return s.startMemverbs(path, stores, network, append(args, flags...)...)
}

// startMemverbs starts the memverbs at a path with flags that tell of the stores.
func (s *stage) startMemverbs(path string, stores []*server, network string, flags ...string) (*server, error) {
	at, err := s.target(network)
	if err != nil {
		return nil, err
	}
	args := []string{"--listen", at.Addr, "--timeout", "5s", "--loops", strconv.Itoa(s.options.loops)}
	if network == "unix" {
		args[1] = "unix:" + at.Addr
	}
	if at.TLS != nil {
		args = append(args, "--tls-cert", s.shown.cert, "--tls-key", s.shown.key)
	}
	m, err := s.start(memverbs, at, path, append(args, flags...)...)
	if err != nil {
		return nil, err
	}
	m.stores = stores
	return m, nil
}
