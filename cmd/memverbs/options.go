package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/proxy/hosts"
	"github.com/memverbs/memverbs/proxy/listen"
)

// options are the values of the flags. They describe a single pool.
type options struct {
	groups []group

	process
	listening
	pool
	embeddedMemory size
	config         string
	version        bool
}

// group is a group of flags in --help.
type group struct {
	title string
	flags *pflag.FlagSet
}

func newOptions() *options {
	o := &options{}
	f := o.group("Where to listen")
	o.addresses = []listen.Address{{Network: "tcp", Address: "127.0.0.1:11211"}}
	o.listening.define(f)
	f.Lookup("listen").Usage += "; may be repeated"

	f = o.group("The memcached servers behind it")
	o.pool.name = "main"
	o.placement.defineFlags(f)
	f.Lookup("upstream").Usage += ". Without any, the embedded store is used, and data is lost on exit"
	o.pool.define(f)
	define(f, &o.embeddedMemory, 64<<20, sizes(1<<20, unlimited), "embedded-memory", "memory for data without --upstream")

	f = o.group("Verbs")
	o.pool.defineVerbs(f)
	o.defineVerbKeys(f)
	o.process.define(o.group("The process"))

	f = o.group("Logging and information")
	o.process.defineLog(f)
	f.StringVar(&o.config, "config", "", "`file` that has all settings, in place of other flags; for several pools")
	f.BoolVar(&o.version, "version", false, "print the version and exit")
	f.BoolP("help", "h", false, "print this and exit")
	return o
}

func (o *options) group(title string) *pflag.FlagSet {
	f := pflag.NewFlagSet(title, pflag.ContinueOnError)
	f.SortFlags = false
	o.groups = append(o.groups, group{title, f})
	return f
}

// usage returns the text of --help.
func (o *options) usage() string {
	var b strings.Builder
	b.WriteString("memverbs is a proxy in front of memcached that adds sets, lists, tables, rankings, queues of tasks, event logs and locks to it.\n\n" +
		"Usage:\n  memverbs [flags]\n  memverbs --config file\n" + usages() + "\n" +
		"Try it:\n  memverbs                                        # nothing else needed\n" +
		"  memverbs --upstream 10.0.0.1:11211,10.0.0.2:11211   # in front of a pool\n" +
		"  telnet 127.0.0.1 11211                          # then type: help\n")
	for _, g := range o.groups {
		fmt.Fprintf(&b, "\n%s:\n%s", g.title, g.flags.FlagUsages())
	}
	b.WriteString(layouts())
	return b.String()
}

// parse parses the flags. Its errors are one line.
func (o *options) parse(args []string) error {
	all := pflag.NewFlagSet("memverbs", pflag.ContinueOnError)
	for _, g := range o.groups {
		all.AddFlagSet(g.flags)
	}
	if err := parseFlags(all, args); err != nil {
		return err
	}
	if all.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: everything is set by flags; see --help", all.Arg(0))
	}
	return o.checkAlone(all)
}

// checkAlone refuses flags beside --config.
func (o *options) checkAlone(all *pflag.FlagSet) (err error) {
	all.Visit(func(f *pflag.Flag) {
		if all.Changed("config") && f.Name != "config" && f.Name != "version" && err == nil {
			err = fmt.Errorf("--config and --%s can't be combined: set %s in the file", f.Name, f.Name)
		}
	})
	return err
}

// parseFlags parses flags, including --help. Its errors are one line, or pflag.ErrHelp.
func parseFlags(f *pflag.FlagSet, args []string) error {
	f.Usage = func() {}
	err := f.Parse(args)
	if wrong := (*pflag.InvalidValueError)(nil); errors.As(err, &wrong) {
		err = fmt.Errorf("--%s: %w", wrong.GetFlag().Name, errors.Unwrap(wrong))
	}
	if err != nil && !errors.Is(err, pflag.ErrHelp) {
		return fmt.Errorf("%w; see --help", err)
	}
	if help, _ := f.GetBool("help"); help {
		return pflag.ErrHelp
	}
	return err
}

// settings returns the settings: of the file, or of the flags, which are those of one pool to
// which all listeners lead. An empty --upstream does not lead to the embedded store, since it
// may come from an unset variable.
func (o *options) settings() (s *settings, warnings []warning, err error) {
	if o.config != "" {
		return readFile(o.config)
	}
	s = &settings{process: o.process, pools: []*pool{&o.pool}, lookup: hosts.System}
	for _, address := range o.addresses {
		s.listeners = append(s.listeners, listener{address, o.mode, o.reusePort, o.verbKeys, []route{{pool: o.pool.name}}})
	}
	if o.servers == nil {
		s.embedded = o.embeddedMemory
		return s, nil, nil
	}
	if o.built, err = o.build(); err != nil {
		err = fmt.Errorf("--upstream: %w", err)
	}
	return s, nil, err
}
