// Package smallfile reads the small files that settings name, such as certificates and passwords.
//
// A setting may name the wrong file: a pipe, which nobody may ever write to, or a device or a huge
// file, which would fill the memory. Only regular files of at most [MaxBytes] are read.
package smallfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// MaxBytes is how long a file may be.
const MaxBytes = 1 << 20

var errLong = errors.New("it is longer than 1 MB; is this the right file?")

// Read returns the content of the file at path, or at which the links there end. Its errors are
// of type [fs.PathError], in which Err tells what is wrong.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = refuse(path, info)
	}
	if err != nil {
		return nil, err
	}
	// What is at path may have been replaced by a pipe, whose opening must not block.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err = f.Stat(); err == nil {
		err = refuse(path, info)
	}
	if err != nil {
		return nil, err
	}
	// Some files grow, and those in /proc have no size.
	content, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err == nil && len(content) > MaxBytes {
		err = &fs.PathError{Op: "read", Path: path, Err: errLong}
	}
	return content, err
}

// refuse returns an error unless a file with this info may be read.
func refuse(path string, info fs.FileInfo) error {
	var wrong error
	switch mode := info.Mode(); {
	case mode.IsDir():
		wrong = syscall.EISDIR
	case !mode.IsRegular():
		wrong = fmt.Errorf("it is %s: name a regular file", named(mode))
	case info.Size() > MaxBytes:
		wrong = errLong
	default:
		return nil
	}
	return &fs.PathError{Op: "read", Path: path, Err: wrong}
}

// named returns what a file is that is neither a regular one nor a directory.
func named(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
