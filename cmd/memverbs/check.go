package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/memverbs/memverbs/cmd/memverbs/logging"
	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
)

func checkCommand() subcommand {
	return newSubcommand(manual.Manual{
		Name:  "memverbs check",
		About: "tell what is wrong with a file for --config, or what it means, and which keys it moves",
		Usage: []string{"memverbs check file", "memverbs check old new"},
		Text: "It opens no socket, but for asking which servers a pool has that are not listed in the file. With two files it tells what the second means, and which share of the keys of each\n" +
			"pool is on another server than by the first, as after a reload or a restart with the second.\n" +
			"The exit status is 0 if memverbs would accept the files, 78 if one is wrong, and 75 if one can't be\n" +
			"read, or names a file that can't be used, such as a certificate that is missing.",
	}, nil, check)
}

// check checks a file of settings, and may compare it with one before it.
func check(paths []string, to streams) error {
	if err := checkFiles("check", paths, 2); err != nil {
		return err
	}
	var read []*settings.All
	var warnings []settings.Warning // of the last
	for _, path := range paths {
		s, of, err := settings.ReadFile(path)
		if err != nil {
			return err
		}
		read, warnings = append(read, s), of
	}
	for _, w := range warnings {
		logging.Print(to.err, slog.LevelWarn, w.String())
	}
	before, s := read[0], read[len(read)-1]
	found, unfound := s.FoundNow(context.Background())
	for _, w := range unfound {
		logging.Print(to.err, slog.LevelWarn, w.String())
	}
	fmt.Fprint(to.out, s.Summary(), found)
	if before != s {
		fmt.Fprintf(to.out, "compared with %s:\n%s", smallfile.Name(paths[0]), s.Compared(before))
	}
	return nil
}
