package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/logging"
	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/mcrouter"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
	"github.com/memverbs/memverbs/cmd/memverbs/twemproxy"
	"github.com/memverbs/memverbs/cmd/memverbs/yamlfile"
)

func importCommand() subcommand {
	var output string
	return newSubcommand(manual.Manual{
		Name:  "memverbs import",
		About: "make a file for --config from the configuration of twemproxy (nutcracker) or mcrouter",
		Usage: []string{"memverbs import [-o file] nutcracker.yml", "memverbs import [-o file] mcrouter.json"},
		Text:  "Every key stays on its server. It prints the file, and warns of what memverbs does differently.",
	}, func(f *pflag.FlagSet) {
		f.StringVarP(&output, "output", "o", "", "write to this `file`, which must not exist yet, rather than print")
	}, func(paths []string, to streams) error { return convert(paths, output, to) })
}

// convert converts the configuration of twemproxy or mcrouter to a new file, or prints it if output is empty.
func convert(paths []string, output string, to streams) error {
	if err := checkFiles("import", paths, 1); err != nil {
		return err
	}
	text, warnings, err := convertFile(paths[0])
	switch {
	case err != nil:
	case output == "":
		err = printText(to.out, string(text))
	default:
		err = writeNew(output, text)
	}
	for _, w := range warnings {
		logging.Print(to.err, slog.LevelWarn, w.String())
	}
	return err
}

// convertFile returns the file of memverbs for the configuration of twemproxy or mcrouter at path. Only mcrouter's is JSON
// that has routes.
func convertFile(path string) (text []byte, warnings []settings.Warning, err error) {
	source, err := yamlfile.Text(path)
	if err != nil {
		return nil, nil, err
	}
	if mcrouter.IsJSON(source) {
		source = mcrouter.Plain(source)
	}
	root, err := yamlfile.Parse(path, source)
	if err != nil {
		return nil, nil, err
	}
	if mcrouter.Is(root) {
		return mcrouter.Convert(path, root)
	}
	return twemproxy.Convert(path, root)
}

// writeNew writes text to a new file.
func writeNew(path string, text []byte) error {
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
