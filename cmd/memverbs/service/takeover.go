package service

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/outdated"
)

// SIGUSR2 makes the process start its program again, perhaps another version, as its successor. The
// successor inherits the listening sockets, which are never closed, so that no client is refused. It
// serves clients when it reaches the servers that this process reaches (reach.go). Then this process
// stops listening, lets its own clients finish, and ends. If the successor never gets that far, nothing
// has changed.

// takeoverLimit is how long a successor may take until it serves clients.
const takeoverLimit = 30 * time.Second

// succession starts a successor.
type succession struct {
	sockets *listen.Sockets
	systemd *systemd
	log     *slog.Logger
	memory  *outdated.Memory
	will    *will // for the successor that serves clients
	pid     int   // of the successor that serves clients; 0 if there is none

	unreached func() []proxy.Unreached
}

// try starts a successor and waits until it serves clients. It returns false if that fails, and
// a signal if one has told the process to stop meanwhile.
func (s *succession) try(stop <-chan os.Signal) (done bool, stopped os.Signal) {
	s.log.Info("starting the successor", "program", os.Args[0])
	pid, stopped, err := s.start(stop)
	switch {
	case stopped != nil:
		return false, stopped
	case err != nil:
		s.log.Error("the successor does not serve clients: this process goes on", "reason", err)
		return false, nil
	}
	s.pid = pid
	s.sockets.Leave()
	s.systemd.succeeded(pid)
	s.log.Info("the successor serves clients", "pid", pid)
	return true, nil
}

// start is try, and returns the process number of the successor.
func (s *succession) start(stop <-chan os.Signal) (pid int, stopped os.Signal, err error) {
	if os.Getpid() == 1 {
		return 0, nil, fmt.Errorf("this is process 1, with which everything in its container ends: start another container, with --reuse-port if it shares the network")
	}
	cmd, ready, will, err := s.launch()
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = ready.Close() }()
	defer func() {
		if s.will = will; pid == 0 {
			will.void()
		}
	}()
	said := make(chan error, 1)
	go func() {
		_, err := ready.Read(make([]byte, 1))
		said <- err
	}()
	limit := time.NewTimer(takeoverLimit)
	defer limit.Stop()
	select {
	case err := <-said:
		if err != nil {
			return 0, nil, fmt.Errorf("it has ended: %v", cmd.Wait())
		}
		go func() { _ = cmd.Wait() }()
		return cmd.Process.Pid, nil, nil
	case <-limit.C:
		err = fmt.Errorf("it was not ready after %v, and was killed", takeoverLimit)
	case stopped = <-stop:
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return 0, stopped, err
}

// launch starts the program with all listening sockets. It reads a byte from ready when clients
// are served, or an error when the program has ended.
func (s *succession) launch() (cmd *exec.Cmd, ready *os.File, w *will, err error) {
	path, err := exec.LookPath(os.Args[0]) // not /proc/self/exe: the program may have been replaced
	if err != nil {
		return nil, nil, nil, err
	}
	files, err := s.sockets.Files()
	if err != nil {
		return nil, nil, nil, err
	}
	ready, far, err := os.Pipe()
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
		_ = far.Close()
	}()
	if err != nil {
		return nil, nil, nil, err
	}
	cmd = exec.Command(path, os.Args[1:]...)
	cmd.Args[0] = os.Args[0]
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.ExtraFiles = append(slices.Clone(files), far)
	cmd.Env = successorEnv(files, s.unreached())
	w, farWill, err := bequeath(s.memory, cmd)
	if err != nil {
		_ = ready.Close()
		return nil, nil, nil, err
	}
	defer func() { _ = farWill.Close() }()
	if err := cmd.Start(); err != nil {
		_ = ready.Close()
		w.void()
		return nil, nil, nil, err
	}
	return cmd, ready, w, nil
}

// successorEnv returns the environment of a successor that gets files and a pipe, and need not reach some
// servers.
func successorEnv(files []*os.File, unreached []proxy.Unreached) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		// WATCHDOG_PID is that of the main process, which the successor is going to be.
		return strings.HasPrefix(v, "LISTEN_") || strings.HasPrefix(v, "WATCHDOG_PID=")
	})
	var names, servers []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	for _, u := range unreached {
		servers = append(servers, u.ID)
	}
	return append(env,
		envPredecessor+"="+strconv.Itoa(os.Getpid()),
		envUnreached+"="+strings.Join(servers, "\n"),
		"LISTEN_FDS="+strconv.Itoa(len(files)+1),
		"LISTEN_FDNAMES="+strings.Join(append(names, nameReady), ":"))
}
