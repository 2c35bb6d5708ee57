package verify

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/memverbs/memverbs/proxy/metadump"
)

// advised adds to the error of a server what an operator can do about it.
func advised(err error) error {
	switch {
	case errors.Is(err, metadump.ErrBusy):
		return fmt.Errorf("%w; try again later, or give it more time by --timeout", err)
	case errors.Is(err, metadump.ErrTooSlow):
		return fmt.Errorf("%w; --timeout gives it more time", err)
	case errors.Is(err, metadump.ErrPassword):
		return fmt.Errorf("%w: set --user and --password-file", err)
	}
	return err
}

// unheard adds the possible cause to the error of a server that has answered nothing.
func (s *Server) unheard(err error) error {
	if errors.Is(err, metadump.ErrClosed) && !s.TLS {
		return fmt.Errorf("%w; if it speaks TLS, set --server-tls-ca; if it is a proxy such as nutcracker, give its servers instead", err)
	}
	return err
}

// connecting returns the cause why a server can't be connected to.
func connecting(err error) error {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("connecting timed out")
	}
	return metadump.Cause(err)
}
