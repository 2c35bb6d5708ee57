//go:build linux

package clients

import (
	"net/rpc"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/memverbs/memverbs/tests/bench/load"
)

// Clients are the clients in another process. They are used as a [load.Generator]
// is.
type Clients struct{ remote *rpc.Client }

// Open prepares the process that listens at a unix socket for a job. It can do one job
// after another.
func Open(socket string, j Job) (*Clients, error) {
	remote, err := rpc.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	c := &Clients{remote}
	if err := c.call("Open", &j, nil); err != nil {
		remote.Close()
		return nil, err
	}
	return c, nil
}

// Run has the clients work from now to the end of the window, and returns what
// they did within it.
func (c *Clients) Run(w load.Window) (load.Count, error) {
	now := load.Now()
	var o Outcome
	err := c.call("Run", &Span{time.Duration(w.From - now), time.Duration(w.Until - now)}, &o)
	if err != nil {
		return load.NewCount(), err
	}
	return load.Count{Requests: o.Requests, Took: hdrhistogram.Import(o.Took)}, nil
}

// Stop has Run return soon.
func (c *Clients) Stop() { c.call("Stop", &struct{}{}, nil) }

// Close closes the clients' connections, and that to their process.
func (c *Clients) Close() {
	c.call("Close", &struct{}{}, nil)
	c.remote.Close()
}

func (c *Clients) call(method string, argument, reply any) error {
	if reply == nil {
		reply = &struct{}{}
	}
	return c.remote.Call(name+"."+method, argument, reply)
}
