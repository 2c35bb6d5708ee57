//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/memverbs/memverbs/tests/bench/load"
)

const stunnel = "stunnel"

// stunnelBefore starts stunnel, to which clients speak TLS, in front of a server that does not.
func (s *stage) stunnelBefore(behind *server) (*server, error) {
	at, err := s.target("tls")
	if err != nil {
		return nil, err
	}
	c, err := s.certificate()
	if err != nil {
		return nil, err
	}
	started, err := s.startStunnel(at, fmt.Sprintf("[server]\naccept = %s\nconnect = %s\ncert = %s\nkey = %s\n", at.Addr, behind.Addr, c.cert, c.key))
	if err != nil {
		return nil, err
	}
	if started.stores = behind.stores; len(started.stores) == 0 {
		started.stores = []*server{behind}
	}
	return started, nil
}

// stunnelTowards starts a stunnel that speaks TLS to servers. It returns it as one server for each
// of these, which is reached without TLS.
func (s *stage) stunnelTowards(behind []*server) (fronts []*server, err error) {
	c, err := s.certificate()
	if err != nil {
		return nil, err
	}
	var services strings.Builder
	var targets []load.Target
	for i, server := range behind {
		at, err := s.target("tcp")
		if err != nil {
			return nil, err
		}
		targets = append(targets, at)
		fmt.Fprintf(&services, "[server%d]\nclient = yes\naccept = %s\nconnect = %s\nverifyChain = yes\nCAfile = %s\ncheckIP = 127.0.0.1\n",
			i, at.Addr, server.Addr, c.cert)
	}
	started, err := s.startStunnel(targets[0], services.String())
	if err != nil {
		return nil, err
	}
	for _, at := range targets {
		fronts = append(fronts, &server{Process: started.Process, Target: at})
	}
	return fronts, nil
}

// startStunnel starts stunnel with services, of which the one at the target answers when all do.
func (s *stage) startStunnel(at load.Target, services string) (*server, error) {
	config := filepath.Join(s.folder, fmt.Sprintf("stunnel%d.conf", len(s.servers)))
	if err := os.WriteFile(config, []byte("foreground = yes\npid =\nsyslog = no\ndebug = err\n"+services), 0o600); err != nil {
		return nil, err
	}
	return s.start(stunnel, at, s.options.stunnel, config)
}

// stunnelVersion returns the version that stunnel reports, "" if there is no stunnel.
func stunnelVersion(path string) string {
	said, _ := exec.Command(path, "-version").CombinedOutput()
	for line := range strings.Lines(string(said)) {
		if strings.HasPrefix(line, "stunnel ") {
			name, _, _ := strings.Cut(line, " on ")
			return name
		}
	}
	return ""
}
