package transcript

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/tests/harness"
)

// Run plays the transcript against the server at addr and fails the test where
// another answer comes than is written. It empties the server first.
func (s *Script) Run(t testing.TB, addr string) {
	t.Helper()
	harness.Dial(t, addr).Ask("flush_all\r\n", "OK\r\n")
	s.Continue(t, addr)
}

// Continue is Run with what the server has already.
func (s *Script) Continue(t testing.TB, addr string) {
	t.Helper()
	r := run{Script: s, t: t, addr: addr, clients: map[string]*harness.Client{}, memory: map[string]string{}}
	for len(r.done) < len(s.steps) {
		r.exchange()
	}
	for _, c := range r.clients {
		c.InStep()
	}
}

// run is a transcript being played.
type run struct {
	*Script
	t       testing.TB
	addr    string
	clients map[string]*harness.Client
	memory  map[string]string
	done    []step
}

// exchange plays the next lines that one client sends, or expects, in a row.
func (r *run) exchange() {
	r.t.Helper()
	first := r.steps[len(r.done)]
	batch := r.steps[len(r.done):]
	for i, s := range batch {
		if s.client != first.client || s.sends != first.sends {
			batch = batch[:i]
			break
		}
	}
	if first.sends {
		r.send(batch)
	} else {
		r.expect(batch)
	}
	r.done = r.steps[:len(r.done)+len(batch)]
}

func (r *run) send(batch []step) {
	r.t.Helper()
	var text strings.Builder
	for _, s := range batch {
		text.WriteString(s.pattern.fill(r.memory))
	}
	r.client(batch[0].client).Send(text.String())
}

func (r *run) expect(batch []step) {
	r.t.Helper()
	c := r.client(batch[0].client)
	for i, s := range batch {
		line, err := readLines(c, strings.Count(s.pattern.fill(r.memory), "\n"))
		switch {
		case s.pattern.closes() && harness.Closed(err) && line == "":
			delete(r.clients, s.client)
		case err == nil && s.pattern.match(line, r.memory):
		default:
			r.fail(batch, i, line, err, c.Rest())
		}
	}
}

// client returns the client of that name, connected.
func (r *run) client(name string) *harness.Client {
	r.t.Helper()
	if r.clients[name] == nil {
		r.clients[name] = harness.Dial(r.t, r.addr)
	}
	return r.clients[name]
}

// readLines reads n lines, more than one where the data expected has line ends
// of its own.
func readLines(c *harness.Client, n int) (string, error) {
	var lines string
	for range n {
		line, err := c.ReadLine()
		lines += line
		if err != nil {
			return lines, err
		}
	}
	return lines, nil
}

// fail shows the batch of expected lines of which the one at index i did not
// come, as a difference, below the lines before it.
func (r *run) fail(batch []step, i int, line string, err error, rest string) {
	r.t.Helper()
	var d strings.Builder
	fmt.Fprintf(&d, "%s:%d: another answer than expected\n", r.path, batch[i].line)
	for _, s := range r.done[max(0, len(r.done)-8):] {
		fmt.Fprintf(&d, "      %s\n", s.source)
	}
	for _, s := range batch[:i] {
		fmt.Fprintf(&d, "      %s\n", s.source)
	}
	for _, s := range batch[i:] {
		fmt.Fprintf(&d, "    - %s\n", s.source)
	}
	for line := range strings.Lines(line + rest) {
		fmt.Fprintf(&d, "    + %s< %s\n", batch[i].client, source(line))
	}
	if err != nil && err != io.EOF {
		fmt.Fprintf(&d, "    + %v\n", err)
	} else if err != nil {
		fmt.Fprintf(&d, "    + %s< {close}\n", batch[i].client)
	}
	r.t.Fatal(d.String())
}

// source writes a line that was received as it would stand in a transcript.
func source(line string) string {
	text, whole := strings.CutSuffix(line, "\r\n")
	quoted := strconv.QuoteToASCII(text)
	quoted = strings.NewReplacer(`\"`, `"`, `{`, `\{`).Replace(quoted[1 : len(quoted)-1])
	if trimmed, ok := strings.CutSuffix(quoted, " "); ok {
		quoted = trimmed + `\x20`
	}
	if !whole {
		quoted += `\`
	}
	return quoted
}
