package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/proxy/hosts"
	"github.com/memverbs/memverbs/proxy/listen"
	"github.com/memverbs/memverbs/proxy/smallfile"
)

// options are the values of the flags. They describe a single pool.
type options struct {
	parts []*pflag.FlagSet

	process
	listening
	pool
	embeddedMemory setting.Size
	config         string
	version        bool
}

func newOptions() *options {
	o := &options{}
	f := o.part("Where to listen")
	o.addresses = []listen.Address{{Network: "tcp", Address: "127.0.0.1:11211"}}
	o.listening.define(f)
	f.Lookup("listen").Usage += "; may be repeated"

	f = o.part("The memcached servers behind it")
	o.pool.name = "main"
	o.placement.defineFlags(f)
	f.Lookup("upstream").Usage += ". Without any, the embedded store is used, and data is lost on exit"
	o.pool.define(f)
	o.outages.define(f)
	setting.Define(f, &o.embeddedMemory, 64<<20, setting.Sizes(1<<20, setting.Unlimited), "embedded-memory", "memory of the embedded store, used without --upstream")

	f = o.part("Verbs")
	o.pool.defineVerbs(f)
	o.defineVerbKeys(f)
	o.guards.define(o.part("What clients may not do"), allow)
	f = o.part("The process")
	o.process.define(f)

	f = o.part("Logging and information")
	o.process.defineLog(f)
	f.StringVar(&o.config, "config", "", "`file` that has all settings, in place of other flags; for several pools")
	f.BoolVar(&o.version, "version", false, "print the version and exit")
	f.BoolP("help", "h", false, "print this and exit")
	return o
}

func (o *options) part(title string) *pflag.FlagSet {
	f := setting.NewSet(title)
	o.parts = append(o.parts, f)
	return f
}

// parse parses the flags and returns the arguments that are none; if there are any, it checks nothing else.
// Its error has all mistakes, each of one line, or is pflag.ErrHelp.
func (o *options) parse(args []string) (others []string, err error) {
	all := o.all()
	switch err := setting.ParseCommandLine(all, args); {
	case err != nil || all.NArg() > 0:
		return all.Args(), err
	case !all.Changed("config"):
		return nil, nil
	case o.config == "":
		return nil, errors.New("--config: the name of the file is empty; leave the flag out if all settings are flags")
	}
	return nil, refuseBeside(all, "version")
}

// all returns all flags.
func (o *options) all() *pflag.FlagSet {
	all := pflag.NewFlagSet("memverbs", pflag.ContinueOnError)
	for _, part := range o.parts {
		all.AddFlagSet(part)
	}
	return all
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

// check refuses flags that do not fit together, and builds what they describe. addresses are those
// to listen at, that of the admin server included. An empty --upstream does not lead to the
// embedded store, since it may come from an unset variable.
func (o *options) check(addresses []listen.Address) error {
	var wrong []error
	refuse := func(prefix string, err error) {
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s%w", prefix, err))
		}
	}
	refuse("--", o.tls.build())
	if o.tls.built != nil && !hasTCP(o.addresses) {
		refuse("--tls-cert: ", errors.New(onlyUnix))
	}
	if twice, before, found := collision(addresses); found {
		refuse("", fmt.Errorf("%s can't be listened on twice: --listen or --admin has %s too; remove one", smallfile.Name(twice.String()), smallfile.Name(before.String())))
	}
	if o.onDown.spare != "" {
		refuse("--on-down: ", fmt.Errorf("%s%s names another pool, which takes a file: see --config", spareIs, o.onDown.spare))
	}
	refuse("--verbs: ", o.guards.check())
	refuse("--", o.checkRing())
	refuse("", o.login.check())
	refuse("--", o.buildTLS())
	if o.servers != nil {
		var err error
		o.built, err = o.build()
		refuse("--upstream: ", err)
		return errors.Join(wrong...)
	}
	noServers := errors.New("there are no servers: add --upstream")
	if o.secured != nil {
		refuse("--server-tls-ca: ", noServers)
	}
	if o.user != "" {
		refuse("--user: ", noServers)
	}
	return errors.Join(wrong...)
}
