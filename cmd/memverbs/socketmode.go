package main

import (
	"fmt"
	"io/fs"
	"strconv"
)

// socketMode is a flag with the permissions of a unix socket, in octal.
type socketMode fs.FileMode

// Set implements pflag.Value.
func (m *socketMode) Set(text string) error {
	n, err := strconv.ParseUint(text, 8, 32)
	if err != nil || n > 0o777 {
		return fmt.Errorf("%q are no permissions; write them in octal, like 0700 or 0770", text)
	}
	if n&0o222 == 0 {
		return fmt.Errorf("with %q nobody could connect, which takes permission to write; write it like 0700 or 0770", text)
	}
	*m = socketMode(n)
	return nil
}

// String implements pflag.Value.
func (m *socketMode) String() string { return fmt.Sprintf("%04o", uint32(*m)) }

// Type implements pflag.Value.
func (m *socketMode) Type() string { return "mode" }
