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
	define(f, &o.embeddedMemory, 64<<20, sizes(1<<20, unlimited), "embedded-memory", "memory for data without --upstream")

	f = o.group("Verbs")
	o.pool.defineVerbs(f)
	o.defineVerbKeys(f)
	o.guards.define(o.group("What clients may not do"), allow)
	f = o.group("The process")
	o.process.define(f)
	f.Lookup("loops").DefValue = "half the cores" // in the manual, which is made on other machines

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

// parse parses the flags. Its errors are one line.
func (o *options) parse(args []string) error {
	all := manual{name: "memverbs", groups: o.groups}.flags()
	if err := parseFlags(all, args); err != nil {
		return err
	}
	if all.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q: it is no subcommand, and everything else is set by flags, as --config file; see --help", all.Arg(0))
	}
	if all.Changed("config") && o.config == "" {
		return errors.New("--config: the name of the file is empty; leave the flag out if all settings are flags")
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
	if missing := (*pflag.NotExistError)(nil); errors.As(err, &missing) {
		err = unknownFlag(f, args, err)
	}
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

// unknownFlag returns the error err about an unknown flag, or a better one if there is a flag of
// that name with two dashes.
func unknownFlag(f *pflag.FlagSet, args []string, err error) error {
	for _, arg := range args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && len(name) > 1 && f.Lookup(name) != nil {
			return fmt.Errorf("-%s: write --%s, with two dashes", name, name)
		}
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
	if err = o.tls.build(); err != nil {
		return nil, nil, fmt.Errorf("--%w", err)
	}
	if o.tls.built != nil && !hasTCP(o.addresses) {
		return nil, nil, fmt.Errorf("--tls-cert: %s", onlyUnix)
	}
	s = &settings{process: o.process, pools: []*pool{&o.pool}, lookup: hosts.System}
	for _, address := range o.addresses {
		s.listeners = append(s.listeners, listener{address, o.listening, []route{{pool: o.pool.name}}})
	}
	if twice, before, found := collision(s.addresses()); found {
		return nil, nil, fmt.Errorf("%v can't be listened on twice: --listen or --admin has %v too; remove one", twice, before)
	}
	if o.onDown.spare != "" {
		return nil, nil, fmt.Errorf("--on-down: %s%s names another pool, which takes a file: see --config", spareIs, o.onDown.spare)
	}
	if err = o.guards.check(); err != nil {
		return nil, nil, fmt.Errorf("--verbs: %w", err)
	}
	if err = o.login.check(); err != nil {
		return nil, nil, err
	}
	if err = o.buildTLS(); err != nil {
		return nil, nil, fmt.Errorf("--%w", err)
	}
	texts := []string{o.tls.expired(), o.expired()}
	for _, secret := range append(o.listening.secretFiles(), o.pool.secretFiles()...) {
		texts = append(texts, exposedSecret(secret.path))
	}
	for _, text := range texts {
		if text != "" {
			warnings = append(warnings, warning{"the flags", text})
		}
	}
	if o.servers == nil && o.user != "" {
		return nil, nil, errors.New("--user: there are no servers: add --upstream")
	}
	if o.servers == nil && o.secured != nil {
		return nil, nil, errors.New("--server-tls-ca: there are no servers: add --upstream")
	}
	if o.servers == nil {
		s.embedded = o.embeddedMemory
		return s, warnings, nil
	}
	if o.built, err = o.build(); err != nil {
		err = fmt.Errorf("--upstream: %w", err)
	}
	return s, warnings, err
}
