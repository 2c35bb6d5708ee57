package logging

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// patience is longer than anything here takes.
const patience = 20 * time.Second

func logger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

// told returns the line that reports so many lost lines.
func told(lines int) string {
	var b bytes.Buffer
	logger(&b).Error("log lines were lost: nobody read them in time, or they could not be written", "lines", lines)
	return b.String()
}

// gate is a log in which every write waits for a result.
type gate struct {
	bytes.Buffer
	entered chan struct{}
	results chan result
}

// result is the outcome of a write: all bytes, or only some and err.
type result struct {
	written int
	err     error
}

func newGate() *gate {
	return &gate{entered: make(chan struct{}, 1000), results: make(chan result, 1000)}
}

func (g *gate) Write(p []byte) (int, error) {
	g.entered <- struct{}{}
	r := <-g.results
	if r.err == nil {
		return g.Buffer.Write(p)
	}
	n, _ := g.Buffer.Write(p[:r.written])
	return n, r.err
}

// open makes all further writes succeed.
func (g *gate) open() {
	for range cap(g.results) - len(g.results) {
		g.results <- result{}
	}
}

func TestEverythingIsWrittenInOrder(t *testing.T) {
	t.Parallel()
	var to bytes.Buffer
	q := NewQueue(&to, logger)
	var expected strings.Builder
	for i := range 1000 {
		fmt.Fprintf(io.MultiWriter(q, &expected), "line %d\n", i)
	}
	q.Close(patience)
	if to.String() != expected.String() || q.Lost() != 0 {
		t.Errorf("%d lines are lost, and %q was written", q.Lost(), to.String())
	}
}

// While a write blocks, lines are queued until the queue is full, and then counted;
// Write never blocks. The log reports lost lines where they are missing.
func TestFullQueue(t *testing.T) {
	t.Parallel()
	to := newGate()
	q := NewQueue(to, logger)
	line := strings.Repeat("x", 1023) + "\n"
	io.WriteString(q, line)
	<-to.entered // this line has left the queue
	const room, surplus = capacity / 1024, 7
	for range room + surplus {
		io.WriteString(q, line)
	}
	if q.Lost() != surplus {
		t.Errorf("%d lines are lost, expected %d", q.Lost(), surplus)
	}
	to.open()
	q.Close(patience)
	if expected := strings.Repeat(line, 1+room) + told(surplus); to.String() != expected {
		t.Errorf("%d bytes were written, the last of them %q", to.Len(), to.String()[max(0, to.Len()-500):])
	}
}

// Lines that can't be written are lost, and the log continues when it can.
func TestWriteErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	to := newGate()
	q := NewQueue(to, logger)
	to.results <- result{0, broken} // the line
	to.results <- result{0, broken} // the report of its loss
	io.WriteString(q, "one\n")
	<-to.entered
	<-to.entered
	to.results <- result{}          // the report of its loss
	to.results <- result{2, broken} // the next line
	to.open()
	io.WriteString(q, "two\n")
	q.Close(patience)
	if expected := told(1) + "tw\n" + told(1); to.String() != expected {
		t.Errorf("%q was written, expected %q", to.String(), expected)
	}
	if q.Lost() != 2 {
		t.Errorf("%d lines are lost, expected 2", q.Lost())
	}
}

// Close does not wait for a log that accepts nothing.
func TestCloseGivesUp(t *testing.T) {
	t.Parallel()
	to := newGate()
	q := NewQueue(to, logger)
	io.WriteString(q, "line\n")
	<-to.entered
	q.Close(time.Millisecond)
	to.open()
	<-q.done
	if to.String() != "line\n" {
		t.Errorf("%q was written", to.String())
	}
}
