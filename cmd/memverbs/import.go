package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/logging"
	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
	"github.com/memverbs/memverbs/cmd/memverbs/twemproxy"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

// importManual returns the manual of import, whose flag sets to.
func importManual(to *string) manual.Manual {
	return manual.Manual{
		Name:  "memverbs import",
		About: "make a file for --config from the configuration of twemproxy (nutcracker)",
		Usage: []string{"memverbs import [-o file] nutcracker.yml"},
		Text:  "Every key stays on its server. It prints the file, and warns of what memverbs does differently.",
		Groups: []manual.Group{subcommandFlags(func(f *pflag.FlagSet) {
			f.StringVarP(to, "output", "o", "", "write to this `file`, which must not exist yet, rather than print")
		})},
	}
}

// convert is the subcommand that converts twemproxy's configuration. It returns the exit
// status.
func convert(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	var to string
	paths, status, ended := parseFiles(importManual(&to), args, 1, stdout, stderr)
	if ended {
		return status
	}
	path := paths[0]
	root, err := yamlfile.Read(path)
	if err != nil {
		return fail(stderr, err)
	}
	text, warnings, err := twemproxy.Convert(path, root)
	if err == nil {
		err = output(to, text, stdout)
	}
	for _, w := range warnings {
		logging.Print(stderr, slog.LevelWarn, w.String())
	}
	if err != nil {
		return fail(stderr, err)
	}
	return exitOK
}

// output writes text to a new file, or prints it if path is empty.
func output(path string, text []byte, stdout io.Writer) error {
	if path == "" {
		_, err := stdout.Write(text)
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--output: %s is there already: choose another name, or remove it", smallfile.Name(path))
	}
	if err != nil {
		return fmt.Errorf("--output: %w", smallfile.Named(err))
	}
	_, err = f.Write(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
