package service

import (
	"bufio"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/outdated"
)

// A process hands over what it remembers of unreachable servers by a pipe. The pipe's descriptor comes
// after those that systemd's variables count, so that a successor of an older version does not take it for
// a socket.

// envOutdated is the variable with the number of the descriptor.
const envOutdated = "MEMVERBS_OUTDATED"

// handoverLimit is how long a process waits for the other one to write or to read.
const handoverLimit = 5 * time.Second

// legacy is the pipe from which a process reads what its predecessor remembers; nil if there is
// none.
type legacy struct {
	pipe   *os.File
	reader *bufio.Reader
}

// inheritLegacy returns the legacy that was passed to the process.
func inheritLegacy(succeeds bool) *legacy {
	fd, err := strconv.Atoi(os.Getenv(envOutdated))
	_ = os.Unsetenv(envOutdated)
	if !succeeds || err != nil {
		return nil
	}
	syscall.CloseOnExec(fd)
	_ = syscall.SetNonblock(fd, true) // so that reading has a deadline
	pipe := os.NewFile(uintptr(fd), "outdated")
	return &legacy{pipe, bufio.NewReader(pipe)}
}

// read adds to memory what the predecessor has remembered so far.
func (l *legacy) read(memory *outdated.Memory, log *slog.Logger) {
	if l == nil {
		return
	}
	_ = l.pipe.SetReadDeadline(time.Now().Add(handoverLimit))
	if n, err := memory.Inherit(l.reader, false); err != nil {
		log.Warn("the predecessor has not told what is outdated on servers that are away", "error", err)
		_ = l.pipe.Close()
	} else if n > 0 {
		log.Info("the predecessor has told what is outdated on servers that are away", "keys", n)
	}
	_ = l.pipe.SetReadDeadline(time.Time{})
}

// readRest adds to memory what the predecessor has remembered later, until its end.
func (l *legacy) readRest(memory *outdated.Memory, server *proxy.Server, log *slog.Logger) {
	if l == nil {
		return
	}
	n, err := memory.Inherit(l.reader, true)
	_ = l.pipe.Close()
	if err == nil && n > 0 {
		log.Info("the predecessor has told what has become outdated since", "keys", n)
		server.ClearOutdated()
	}
}

// will is the predecessor's end of the pipe.
type will struct {
	memory *outdated.Memory
	pipe   *os.File
}

// bequeath passes a pipe to the successor, to, and writes what is remembered so far to it.
func bequeath(memory *outdated.Memory, to *exec.Cmd) (w *will, far *os.File, err error) {
	far, near, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	to.Env = append(to.Env, envOutdated+"="+strconv.Itoa(3+len(to.ExtraFiles)))
	to.ExtraFiles = append(to.ExtraFiles, far)
	w = &will{memory, near}
	go func() {
		_ = near.SetWriteDeadline(time.Now().Add(handoverLimit))
		_, _ = memory.HandOver(near) // if this fails, the successor logs that
	}()
	return w, far, nil
}

// void is called when the successor will not serve clients.
func (w *will) void() {
	_ = w.pipe.Close()
	w.memory.Disown()
}

// execute writes the rest, at the end of the process.
func (w *will) execute() {
	if w == nil {
		return
	}
	_ = w.pipe.SetWriteDeadline(time.Now().Add(handoverLimit))
	_, _ = w.memory.HandRest(w.pipe)
	_ = w.pipe.Close()
}
