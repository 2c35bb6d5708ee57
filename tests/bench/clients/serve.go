//go:build linux

package clients

import (
	"errors"
	"net"
	"net/rpc"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Span is a window, counted from when it is sent to another process, which does not share
// the clock of package load.
type Span struct{ From, Until time.Duration }

// Outcome is a count on its way to another process.
type Outcome struct {
	Requests uint64
	Took     *hdrhistogram.Snapshot
}

// Serve is the process in which the clients are. It listens at a unix socket,
// and returns only if it can't.
func Serve(socket string) error {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	s := rpc.NewServer()
	if err := s.RegisterName(name, &remote{}); err != nil {
		return err
	}
	s.Accept(l)
	return errors.New("the process that measures can't be heard any more")
}

// name is the name under which the methods of remote are called.
const name = "Clients"

// remote has the methods that another process may call, one at a time, except for
// Stop.
type remote struct{ crew *crew }

// Open gets clients ready.
func (r *remote) Open(j *Job, _ *struct{}) (err error) {
	r.crew, err = newCrew(j)
	return err
}

// Run makes them work.
func (r *remote) Run(s *Span, o *Outcome) error {
	now := load.Now()
	n, err := r.crew.run(load.Window{From: now + int64(s.From), Until: now + int64(s.Until)})
	o.Requests, o.Took = n.Requests, n.Took.Export()
	return err
}

// Stop makes Run end soon.
func (r *remote) Stop(*struct{}, *struct{}) error {
	r.crew.stop.Store(true)
	return nil
}

// Close closes their connections.
func (r *remote) Close(*struct{}, *struct{}) error {
	r.crew.close()
	return nil
}
