package service

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/coreos/go-systemd/v22/activation"

	"github.com/memverbs/memverbs/proxy/listen"
)

// A process may inherit listening sockets: from systemd, or from the memverbs that it takes over
// from, its predecessor. Both pass them as descriptors from 3 on, and describe them by the
// variables LISTEN_*.

const (
	// envPredecessor is the variable with the process number of the predecessor.
	envPredecessor = "MEMVERBS_PREDECESSOR"
	// envUnreached is the variable with the IDs of the servers that the predecessor can't reach,
	// each on a line.
	envUnreached = "MEMVERBS_UNREACHED"
	// nameReady is the name of the last descriptor that a predecessor passes: a pipe on which it
	// waits for a byte, which says that clients are served.
	nameReady = "ready"
)

// inheritance is what a process was given by the one that started it.
type inheritance struct {
	*listen.Sockets
	ready *os.File // tells the predecessor; nil if there is none

	predecessor int      // its process number
	unreached   []string // the servers that it does not reach
	legacy      *legacy
}

// inherit returns what was passed to the process, which is to listen at addresses.
// It fails if systemd has passed a socket with another address: clients that connect to it would
// wait for ever.
func inherit(addresses []listen.Address) (i inheritance, err error) {
	succeeds := os.Getenv(envPredecessor) == strconv.Itoa(os.Getppid())
	i.predecessor, i.unreached = os.Getppid(), strings.Split(os.Getenv(envUnreached), "\n")
	_ = os.Unsetenv(envPredecessor)
	_ = os.Unsetenv(envUnreached)
	if succeeds { // the predecessor could not set LISTEN_PID, because it did not know our process number
		_ = os.Setenv("LISTEN_PID", strconv.Itoa(os.Getpid()))
	}
	i.legacy = inheritLegacy(succeeds)
	files := activation.Files(true)
	if last := len(files) - 1; succeeds && last >= 0 && files[last].Name() == nameReady {
		i.ready, files = files[last], files[:last]
	}
	if i.Sockets, err = listen.Inherit(files, succeeds); err != nil {
		return i, err
	}
	if unnamed := i.Unnamed(addresses); len(unnamed) > 0 && !succeeds {
		return i, fmt.Errorf("systemd has passed sockets that nothing listens at: %s; set listen to these addresses, or take them out of the socket unit", strings.Join(unnamed, ", "))
	}
	return i, nil
}

// served tells the predecessor, if there is one, that clients are served.
func (i inheritance) served() {
	i.TakeOver()
	if i.ready != nil {
		_, _ = i.ready.Write([]byte{1}) // if the predecessor has ended, nobody needs to know
		_ = i.ready.Close()
	}
}
