package logging

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// capacity is how much may be queued, in bytes. As much again may be in the process of
// being written.
const capacity = 256 << 10

// Queue is a log that does not block. It is safe for concurrent use.
type Queue struct {
	to     io.Writer
	notice bytes.Buffer // the output of notes
	notes  *slog.Logger // logger for the queue's own messages
	torn   bool         // the last write ended within a line
	owed   uint64       // lost lines that were not reported in the log yet

	mu     sync.Mutex
	lines  []byte // queued
	spare  []byte // written buffer, to be reused
	full   uint64 // lines refused since the last take
	closed bool

	lost atomic.Uint64
	more chan struct{} // has an element if there may be something to do
	done chan struct{} // closed when everything has been written
}

// NewQueue returns a queue that writes to to. logger returns a logger that writes to w, so
// that the queue's own lines have the same form as all others.
func NewQueue(to io.Writer, logger func(w io.Writer) *slog.Logger) *Queue {
	q := &Queue{to: to, more: make(chan struct{}, 1), done: make(chan struct{})}
	q.notes = logger(&q.notice)
	go q.run()
	return q
}

// Write queues a line, including its end, and returns at once. It never fails: if the
// queue is full, the line is lost.
func (q *Queue) Write(line []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.lines)+len(line) > capacity {
		q.full++
		q.lost.Add(1)
	} else {
		q.lines = append(q.lines, line...)
	}
	q.wake()
	return len(line), nil
}

// Lost returns how many lines have been lost so far.
func (q *Queue) Lost() uint64 { return q.lost.Load() }

// Close waits until the queue has been written, but no longer than patience. Later
// lines are lost.
func (q *Queue) Close(patience time.Duration) {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.wake()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-q.done:
	case <-timer.C:
	}
}

func (q *Queue) wake() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// run writes the queue until it is closed and empty.
func (q *Queue) run() {
	defer close(q.done)
	for range q.more {
		lines, full, closed := q.take()
		q.tell() // before these lines, where others are missing
		q.put(lines)
		q.owed += full
		q.tell()
		if closed {
			return
		}
	}
}

// take returns the queued lines, how many lines were refused after them, and whether
// there will be no more.
func (q *Queue) take() (lines []byte, full uint64, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	lines, full = q.lines, q.full
	q.lines, q.spare, q.full = q.spare[:0], lines, 0
	return lines, full, q.closed
}

// put writes lines. Those that can't be written completely are lost.
func (q *Queue) put(lines []byte) {
	rest := bytes.Count(q.write(lines), lineEnd)
	q.owed += uint64(rest)
	q.lost.Add(uint64(rest))
}

// tell reports lost lines in the log, unless it has done so already.
func (q *Queue) tell() {
	if q.owed == 0 {
		return
	}
	q.notice.Reset()
	q.notes.Error("log lines were lost: nobody read them in time, or they could not be written", "lines", q.owed)
	if len(q.write(q.notice.Bytes())) == 0 {
		q.owed = 0
	}
}

var lineEnd = []byte("\n")

// write writes lines and returns what could not be written.
func (q *Queue) write(lines []byte) (rest []byte) {
	if len(lines) == 0 {
		return nil
	}
	if q.torn {
		if _, err := q.to.Write(lineEnd); err != nil {
			return lines
		}
		q.torn = false
	}
	n, err := q.to.Write(lines)
	if err == nil {
		return nil
	}
	if n > 0 {
		q.torn = lines[n-1] != '\n'
	}
	return lines[n:]
}
