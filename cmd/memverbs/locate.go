package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/protocol"
	"github.com/memverbs/memverbs/sharding"
	"github.com/memverbs/memverbs/verbs"
)

// maxLine is the longest line that locate reads, many times the longest key.
const maxLine = 1 << 20

// location is the flags of the subcommand locate.
type location struct {
	settings.PoolChoice
	asked settings.Pool // the pool that the flags describe, or the file
	flags *pflag.FlagSet
	of    string
}

func (l *location) command() subcommand {
	return newSubcommand(manual.Manual{
		Name:  "memverbs locate",
		About: "tell which server of a pool has a key, without connecting to any",
		Usage: []string{"memverbs locate --upstream server,... [flags] [--] [key...]", "memverbs locate --config file [--pool name] [--] [key...]"},
		Text: "For each key it prints a line: the key, a tab, and the server as it was given.\n" +
			"Without keys it reads them from standard input, one a line. It ends with an error at what\n" +
			"is no key, such as an empty line.\n" +
			"All items of a structure, such as a set or an event log, are on the server of its own\n" +
			"key: to locate them, name it with --of.",
		Groups: []manual.Group{layouts()},
	}, func(f *pflag.FlagSet) {
		l.flags = f
		l.asked.DefineFlags(f)
		l.PoolChoice.Define(f)
		f.StringVar(&l.of, "of", "", "the `key` of the structure that the keys are parts of:\nthey are on the server of that key")
	}, l.run)
}

// run prints which server has each of the keys, or of the lines of the input if there are none.
func (l *location) run(keys []string, to streams) error {
	if err := l.Choose(&l.asked, l.flags, "of"); err != nil {
		return err
	}
	layout, err := l.asked.Build()
	if err != nil {
		return fmt.Errorf("--upstream: %w", err)
	}
	if l.of != "" {
		if err := checkKey([]byte(l.of)); err != nil {
			return fmt.Errorf("--of: %w", err)
		}
	}
	answers := locator{bufio.NewWriter(to.out), layout, l.asked.Servers, []byte(l.of)}
	err = answers.answer(keys, to.in)
	if flushed := answers.out.Flush(); err == nil && flushed != nil {
		err = fmt.Errorf("printing: %w", flushed)
	}
	return err
}

// locator prints the servers of keys.
type locator struct {
	out     *bufio.Writer
	layout  sharding.Layout
	servers []settings.Server
	of      []byte // the structure that the keys are parts of, if not empty
}

// answer prints a line for each key, or for each line of in if keys is empty, until one is wrong.
func (l *locator) answer(keys []string, in io.Reader) error {
	for _, key := range keys {
		if err := l.print([]byte(key)); err != nil {
			return err
		}
	}
	if len(keys) == 0 {
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, maxLine)
		for n := 1; lines.Scan(); n++ {
			if err := l.print(lines.Bytes()); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if err := lines.Err(); err != nil {
			return fmt.Errorf("reading keys: %w", err)
		}
	}
	return nil
}

// print prints the line for a key. It refuses a key that is malformed, or not that of a part of the
// structure. Errors of writing are returned by the final Flush.
func (l *locator) print(key []byte) error {
	if err := checkKey(key); err != nil {
		return err
	}
	place := key
	if len(l.of) > 0 {
		if !verbs.IsPart(key, l.of) {
			return fmt.Errorf("%s is not the key of a part of %s: those begin with %s", key, l.of, verbs.AppendPartPrefix(nil, l.of))
		}
		place = l.of
	}
	l.out.Write(key)
	l.out.WriteByte('\t')
	l.out.WriteString(l.servers[l.layout.Locate(place)].Text)
	l.out.WriteByte('\n')
	return nil
}

// checkKey refuses a key that no server can have. Keys with white space are accepted: they can be sent
// in base64, or in the binary protocol.
func checkKey(key []byte) error {
	if 0 < len(key) && len(key) <= protocol.MaxKey {
		return nil
	}
	const most = 40 // bytes that are shown; the lines of a wrong file may be long
	shown, more := key, ""
	if len(shown) > most {
		shown, more = shown[:most], "…"
	}
	return fmt.Errorf("%q%s has %d bytes, and a key 1 to %d", shown, more, len(key), protocol.MaxKey)
}
