package transport

import (
	"errors"
	"os"
)

// Cause returns the cause of an error without what the net package wraps around it.
func Cause(err error) error {
	var call *os.SyscallError
	if errors.As(err, &call) {
		return call.Err
	}
	return err
}
