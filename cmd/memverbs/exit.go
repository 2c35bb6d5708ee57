package main

import (
	"errors"
	"io"
	"log/slog"
	"slices"
	"syscall"

	"github.com/memverbs/memverbs/cmd/memverbs/logging"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
	"github.com/memverbs/memverbs/proxy"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/secure"
)

// Exit statuses. exitUnavailable and exitWrongFile have the numbers of sysexits.h, by whose names systemd shows
// them. A Go program that crashes ends with status 2 too, so status 2 does not mean that another start would
// fail.
const (
	exitOK          = 0
	exitMisfit      = 1  // a layout does not fit a pool, see verify
	exitUsage       = 2  // a flag or an argument is wrong
	exitUnavailable = 75 // something that the settings name can't be used now: an address, or a file
	exitWrongFile   = 78 // the file is wrong, and every start with it fails
)

// errMisfit is the error of a layout that does not fit a pool, of which the subcommand has told.
var errMisfit = errors.New("the layout does not fit the pool")

// passing reports whether another start may succeed with the same settings: whether the error, or each error
// joined in it, is about something that the settings name, such as an address.
func passing(err error) bool {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return !slices.ContainsFunc(joined.Unwrap(), func(err error) bool { return !passing(err) })
	}
	var (
		named  setting.Outside
		file   *secure.FileError
		system syscall.Errno
		found  *config.FindError
	)
	return errors.As(err, &named) || errors.As(err, &found) || errors.As(err, &file) || errors.As(err, &system)
}

// fail prints the error, a line for each mistake, and returns the exit status. Errors about a file
// begin with its name.
func fail(stderr io.Writer, err error) int {
	prefix, status := "memverbs: ", exitUsage
	if wrong := (*yamlfile.Error)(nil); errors.As(err, &wrong) {
		prefix, status = "", exitWrongFile
	}
	if passing(err) {
		status = exitUnavailable
	}
	lines := setting.Lines(err)
	if errors.Is(err, syscall.EMFILE) {
		lines[len(lines)-1] += "; " + proxy.MoreFiles
	}
	for _, line := range lines {
		logging.Print(stderr, slog.LevelError, prefix+line)
	}
	return status
}
