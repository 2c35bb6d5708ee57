//go:build linux

package main

import (
	"fmt"
	"io"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/spawn"
)

// patience is how long a server may take to start.
const patience = 10 * time.Second

// server is a process that listens.
type server struct {
	*spawn.Process
	load.Target
	stores []*server // the memcacheds behind it
}

// await waits until the server answers a request, which must be the reply given.
func (s *server) await(request, reply string) error {
	deadline := time.After(patience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if s.answers(request, reply) {
				return nil
			}
		case <-s.Exited():
			return fmt.Errorf("%s does not start (%v):\n%s", s.Name, s.Err(), s.Said())
		case <-deadline:
			return fmt.Errorf("%s does not answer:\n%s", s.Name, s.Said())
		}
	}
}

func (s *server) answers(request, reply string) bool {
	conn, err := s.Dial()
	if err != nil {
		return false
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, request); err != nil {
		return false
	}
	got := make([]byte, len(reply))
	_, err = io.ReadFull(conn, got)
	return err == nil && string(got) == reply
}
