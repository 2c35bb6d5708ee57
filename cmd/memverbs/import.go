package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

const importHelp = `memverbs import makes a file for memverbs --config from the configuration of twemproxy
(nutcracker). Every key stays on its server. It prints the file, and warns of what memverbs
does differently.

Usage:
  memverbs import [-o file] nutcracker.yml
`

// convert is the subcommand that converts twemproxy's configuration. It returns the exit
// status.
func convert(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	f := pflag.NewFlagSet("memverbs import", pflag.ContinueOnError)
	to := f.StringP("output", "o", "", "write to this `file`, which must not exist yet, rather than print")
	path, done, status := parseFile(f, importHelp, args, stdout, stderr)
	if done {
		return status
	}
	root, err := yamlfile.Read(path)
	if err != nil {
		return fail(stderr, err)
	}
	text, warnings, err := fromNutcracker(path, root)
	if err != nil {
		return fail(stderr, err)
	}
	if err := output(*to, text, stdout); err != nil {
		return fail(stderr, err)
	}
	for _, w := range warnings {
		fmt.Fprintln(stderr, w)
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
	if err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	_, err = f.Write(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
