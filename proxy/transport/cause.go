package transport

import (
	"errors"
	"os"
)

// Cause takes off what the net package says around the reason of an error.
func Cause(err error) error {
	var call *os.SyscallError
	if errors.As(err, &call) {
		return call.Err
	}
	return err
}
