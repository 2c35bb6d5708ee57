package setting

import (
	"fmt"
	"io/fs"
	"strconv"
)

// Permissions is the kind of the permissions of unix sockets, in octal.
func Permissions() Kind[fs.FileMode] {
	return Kind[fs.FileMode]{Name: "mode", Read: func(text string) (fs.FileMode, error) {
		n, err := strconv.ParseUint(text, 8, 32)
		if err != nil || n > 0o777 {
			return 0, fmt.Errorf("%q are no permissions; write them in octal, like 0700 or 0770", text)
		}
		if n&0o222 == 0 {
			return 0, fmt.Errorf("with %q nobody could connect, which takes permission to write; write it like 0700 or 0770", text)
		}
		return fs.FileMode(n), nil
	}, Show: func(mode fs.FileMode) string { return fmt.Sprintf("%04o", uint32(mode)) }}
}
