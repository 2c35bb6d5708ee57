package clients

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// client is a client library, known by the script that uses it.
type client struct {
	script      string
	interpreter string                      // with its arguments
	slow        bool                        // takes seconds to start: only run with the newest memcached
	binary      bool                        // speaks the binary protocol
	tls         bool                        // speaks TLS
	login       bool                        // shows a password
	env         func(t testing.TB) []string // of the script; nil for the one that all have
	release     string                      // says which release of the client that is; empty for that of all

	secrets []string // variables of the environment about TLS and the password
	refused bool     // the password is wrong
}

// name names the run of a client.
func (c client) name() string {
	name := c.script
	if c.binary {
		name += " binary"
	}
	if c.release != "" {
		name += " " + c.release
	}
	if c.tls {
		name += " TLS"
	}
	if c.login {
		name += " password"
	}
	return name
}

// command returns what runs the script.
func (c client) command(ctx context.Context, t *testing.T, addr string) *exec.Cmd {
	words := append(strings.Fields(c.interpreter), c.script, addr)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	if c.binary {
		cmd.Args = append(cmd.Args, "binary")
	}
	if c.refused {
		cmd.Args = append(cmd.Args, "refused")
	}
	cmd.Env = harness.ClientEnv(t)
	if c.env != nil {
		cmd.Env = c.env(t)
	}
	cmd.Env = append(cmd.Env, c.secrets...)
	return cmd
}

// run is a script that runs.
type run struct {
	t      *testing.T
	client client
	cmd    *exec.Cmd
	in     io.Writer
	out    *bufio.Scanner
	errors bytes.Buffer
	said   []string // lines that are no questions
}

// start starts the script. It is killed if it takes much longer than any of
// its steps may.
func (c client) start(t *testing.T, addr string) *run {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 6*harness.Patience)
	t.Cleanup(cancel)
	r := &run{t: t, client: c, cmd: c.command(ctx, t, addr)}
	r.cmd.WaitDelay = harness.Patience
	r.cmd.Stderr = &r.errors
	in, err := r.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.in, r.out = in, bufio.NewScanner(out)
	if err := r.cmd.Start(); err != nil {
		t.Fatalf("%s: %v; run \"make needs\", which gets what the scripts need", c.script, err)
	}
	return r
}

// untilOK waits for the end of the script, which must be a good one, and
// answers what it asks meanwhile.
func (r *run) untilOK(answer func(ask string) string) {
	r.t.Helper()
	for r.out.Scan() {
		if line := r.out.Text(); line == "freeze" || line == "thaw" {
			fmt.Fprintln(r.in, answer(line)) // fails if the script has ended, which shows below
		} else {
			r.said = append(r.said, line)
		}
	}
	if err := r.cmd.Wait(); err != nil || r.errors.Len() > 0 || len(r.said) < 3 || r.said[len(r.said)-1] != "ok" {
		r.t.Fatalf("%s: %v\n%s\n%s", r.client.script, err, strings.Join(r.said, "\n"), &r.errors)
	}
}
