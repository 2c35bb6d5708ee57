package main

import (
	"errors"
	"fmt"
	"slices"
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
	o.outages.define(f)
	define(f, &o.embeddedMemory, 64<<20, sizes(1<<20, unlimited), "embedded-memory", "memory of the embedded store, used without --upstream")

	f = o.group("Verbs")
	o.pool.defineVerbs(f)
	o.defineVerbKeys(f)
	o.guards.define(o.group("What clients may not do"), allow)
	f = o.group("The process")
	o.process.define(f)

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
	o.groups = append(o.groups, group{title: title, flags: f})
	return f
}

// manual returns the manual of memverbs itself, with its flags and the names of the subcommands.
func (o *options) manual() manual {
	m := manual{
		name:  "memverbs",
		about: "proxy in front of memcached that adds sets, lists, tables, rankings, queues of tasks, event logs and locks to it",
		usage: []string{"memverbs [flags]", "memverbs --config file"},
		text: "It forwards plain commands to the servers of a pool, and carries out verbs that memcached lacks by\n" +
			"operations that it has. All data is in memcached. A client that sends help gets a list of the verbs.",
		examples: []term{
			{"memverbs", "# nothing else needed"},
			{"memverbs --upstream 10.0.0.1:11211,10.0.0.2:11211", "# in front of a pool"},
			{"telnet 127.0.0.1 11211", "# then type: help"},
		},
		more: []group{signalTerms(), statusTerms(), fileTerms()},
	}
	others := group{title: "Subcommands. Each has --help of its own"}
	for _, s := range subcommands() {
		of := s.manual()
		m.usage = append(m.usage, of.usage...)
		others.terms = append(others.terms, term{s.name, of.about})
	}
	m.groups = append([]group{others}, o.groups...)
	m.groups = append(m.groups, layouts())
	return m
}

// parse parses the flags. It returns all mistakes, each of one line, or pflag.ErrHelp.
func (o *options) parse(args []string) error {
	all := manual{name: "memverbs", groups: o.groups}.flags()
	if err := parseFlags(all, args); err != nil {
		return err
	}
	if all.NArg() > 0 {
		return noSubcommand(all.Arg(0), all)
	}
	if all.Changed("config") && o.config == "" {
		return errors.New("--config: the name of the file is empty; leave the flag out if all settings are flags")
	}
	return o.checkAlone(all)
}

// noSubcommand returns the error about an argument that is neither a flag nor a subcommand.
func noSubcommand(arg string, flags *pflag.FlagSet) error {
	if flags.Lookup(arg) != nil {
		return fmt.Errorf("unexpected argument %q: is --%s meant?", arg, arg)
	}
	var known []string
	for _, s := range subcommands() {
		known = append(known, s.name)
	}
	if best := nearest(arg, known); best != "" {
		return fmt.Errorf("unexpected argument %q: it is no subcommand; is %q meant?", arg, best)
	}
	return fmt.Errorf("unexpected argument %q: the subcommands are %s, and everything else is set by flags, as --config file; see --help", arg, strings.Join(known, ", "))
}

// checkAlone refuses flags beside --config.
func (o *options) checkAlone(all *pflag.FlagSet) error {
	if !all.Changed("config") {
		return nil
	}
	return refuseBeside(all, "version")
}

// refuseBeside refuses the flags that are given beside --config, but for those that are allowed.
func refuseBeside(flags *pflag.FlagSet, allowed ...string) error {
	var wrong []error
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed && f.Name != "config" && !slices.Contains(allowed, f.Name) {
			wrong = append(wrong, fmt.Errorf("--config and --%s can't be combined: set %s in the file", f.Name, fileKey(f.Name)))
		}
	})
	return errors.Join(wrong...)
}

// fileKey returns the key that a file has for a flag.
func fileKey(flag string) string {
	if flag == "upstream" {
		return "servers"
	}
	return flag
}

// settings returns the settings: of the file, or of the flags, which are those of one pool to
// which all listeners lead. Its error has all mistakes, each of one line.
func (o *options) settings() (s *settings, warnings []warning, err error) {
	if o.config != "" {
		return readFile(o.config)
	}
	s = &settings{process: o.process, pools: []*pool{&o.pool}, lookup: hosts.System}
	if err = o.check(s.withAdmin(o.addresses)); err != nil {
		return nil, nil, err
	}
	for _, address := range o.addresses {
		s.listeners = append(s.listeners, listener{address: address, listening: o.listening, routes: []route{{pool: o.pool.name}}})
	}
	texts := []string{o.tls.warning(), o.pool.warning()}
	for _, secret := range append(o.listening.secretFiles(), o.pool.secretFiles()...) {
		texts = append(texts, exposedSecret(secret.path))
	}
	for _, text := range texts {
		if text != "" {
			warnings = append(warnings, warning{"the flags", text})
		}
	}
	if o.servers == nil {
		s.embedded = o.embeddedMemory
	}
	return s, warnings, nil
}
