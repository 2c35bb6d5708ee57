package main

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/memverbs/memverbs/cmd/memverbs/logging"
	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
)

func checkManual() manual.Manual {
	return manual.Manual{
		Name:  "memverbs check",
		About: "tell what is wrong with a file for --config, or what it means, and which keys it moves",
		Usage: []string{"memverbs check file", "memverbs check old new"},
		Text: "It opens no socket. With two files it tells what the second means, and which share of the keys of each\n" +
			"pool is on another server than by the first, as after a reload or a restart with the second.\n" +
			"The exit status is 0 if memverbs would accept the files, 78 if one is wrong, and 75 if one can't be\n" +
			"read, or names a file that can't be used, such as a certificate that is missing.",
		Groups: []manual.Group{subcommandFlags(noFlags)},
	}
}

// check is the subcommand that checks a file of settings, and may compare it with one before it. It
// returns the exit status.
func check(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	paths, status, ended := parseFiles(checkManual(), args, 2, stdout, stderr)
	if ended {
		return status
	}
	var read []*settings.All
	var warnings []settings.Warning // of the last
	for _, path := range paths {
		s, of, err := settings.ReadFile(path)
		if err != nil {
			return fail(stderr, err)
		}
		read, warnings = append(read, s), of
	}
	for _, w := range warnings {
		logging.Print(stderr, slog.LevelWarn, w.String())
	}
	before, s := read[0], read[len(read)-1]
	fmt.Fprint(stdout, s.Summary())
	if before != s {
		fmt.Fprintf(stdout, "compared with %s:\n%s", smallfile.Name(paths[0]), s.Compared(before))
	}
	return exitOK
}
