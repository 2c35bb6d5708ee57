package settings

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/hosts"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/smallfile"
	"github.com/memverbs/memverbs/proxy/config"
	"github.com/memverbs/memverbs/proxy/listen"
)

// Flags are the values of the flags. They describe a single pool.
type Flags struct {
	Parts []*pflag.FlagSet // as --help has them

	Process
	listening
	Pool
	embeddedMemory setting.Size
	Config         string
	Version        bool
}

// NewFlags returns all flags with their defaults.
func NewFlags() *Flags {
	o := &Flags{}
	f := o.part("Where to listen")
	o.addresses = []listen.Address{{Network: "tcp", Address: "127.0.0.1:11211"}}
	o.listening.define(f)
	f.Lookup("listen").Usage += "; may be repeated"

	f = o.part("The memcached servers behind it")
	o.Pool.name = "main"
	o.Placement.DefineFlags(f)
	f.Lookup("upstream").Usage += ". Without any, the embedded store is used, and data is lost on exit"
	o.Pool.define(f)
	o.outages.define(f)
	setting.Define(f, &o.embeddedMemory, 64<<20, setting.Sizes(1<<20, setting.Unlimited), "embedded-memory", "memory of the embedded store, used without --upstream")

	o.answers.define(o.part("What is answered without a server"))
	o.families.define(o.part("Keys that are flushed together"))

	f = o.part("Verbs")
	o.Pool.defineVerbs(f)
	o.defineVerbKeys(f)
	o.guards.define(o.part("What clients may not do"), allow)
	f = o.part("The process")
	o.Process.define(f)

	f = o.part("Logging and information")
	o.Process.defineLog(f)
	f.StringVar(&o.Config, "config", "", "`file` that has all settings, in place of other flags; for several pools")
	f.BoolVar(&o.Version, "version", false, "print the version and exit")
	f.BoolP("help", "h", false, "print this and exit")
	return o
}

func (o *Flags) part(title string) *pflag.FlagSet {
	f := setting.NewSet(title)
	o.Parts = append(o.Parts, f)
	return f
}

// Parse parses the flags and returns the arguments that are none; if there are any, it checks nothing else.
// Its error has all mistakes, each of one line, or is pflag.ErrHelp.
func (o *Flags) Parse(args []string) (others []string, err error) {
	all := o.All()
	switch err := setting.ParseCommandLine(all, args); {
	case err != nil || all.NArg() > 0:
		return all.Args(), err
	case !all.Changed("config"):
		return nil, nil
	case o.Config == "":
		return nil, errors.New("--config: the name of the file is empty; leave the flag out if all settings are flags")
	}
	return nil, refuseBeside(all, "version")
}

// All returns all flags.
func (o *Flags) All() *pflag.FlagSet {
	all := pflag.NewFlagSet("memverbs", pflag.ContinueOnError)
	for _, part := range o.Parts {
		all.AddFlagSet(part)
	}
	return all
}

// refuseBeside refuses flags that are given together with --config, except those in allowed.
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

// Settings returns the settings: of the file, or of the flags, which are those of one pool to
// which all listeners lead. Its error has all mistakes, each of one line.
func (o *Flags) Settings() (s *All, warnings []Warning, err error) {
	if o.Config != "" {
		return ReadFile(o.Config)
	}
	s = &All{Process: o.Process, Pools: []*Pool{&o.Pool}, Lookup: hosts.System}
	if err = o.check(s.withAdmin(o.addresses)); err != nil {
		return nil, nil, err
	}
	for _, address := range o.addresses {
		s.Listeners = append(s.Listeners, listener{Address: address, listening: o.listening, routes: []config.Route{{Pool: o.Pool.name}}})
	}
	texts := []string{o.tls.warning(), o.Pool.warning()}
	for _, secret := range append(o.listening.secretFiles(), o.Pool.secretFiles()...) {
		texts = append(texts, exposedSecret(secret.path))
	}
	for _, text := range texts {
		if text != "" {
			warnings = append(warnings, Warning{"the flags", text})
		}
	}
	if o.Servers == nil {
		s.Embedded = o.embeddedMemory
	}
	return s, warnings, nil
}

// check refuses flags that do not fit together, and builds what they describe. addresses are all
// addresses to listen at, the admin server's included. An empty --upstream does not mean the
// embedded store, since it may come from an unset variable.
func (o *Flags) check(addresses []listen.Address) error {
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
	for i, twice := range addresses {
		if before := Collision(twice, addresses[:i]); before >= 0 {
			refuse("", fmt.Errorf("%s can't be listened on twice: --listen or --admin has %s too; remove one", smallfile.Name(twice.String()), smallfile.Name(addresses[before].String())))
			break
		}
	}
	if o.onDown.spare != "" {
		refuse("--on-down: ", fmt.Errorf("%s%s names another pool, which takes a file: see --config", spareIs, o.onDown.spare))
	}
	refuse("--verbs: ", o.guards.check())
	refuse("--near: ", checkPrefixes(o.near))
	refuse("--hold-misses: ", checkPrefixes(o.holdMisses))
	refuse("--namespaces: ", o.families.check(o.readOnly))
	refuse("--move: ", o.checkMove(o.readOnly))
	refuse("--", o.checkLog())
	refuse("", o.Login.Check())
	refuse("--", o.BuildTLS())
	if o.Servers != nil {
		var err error
		o.built, err = o.Build()
		refuse("--upstream: ", err)
		return errors.Join(wrong...)
	}
	noServers := errors.New("there are no servers: add --upstream")
	if o.Secured != nil {
		refuse("--server-tls-ca: ", noServers)
	}
	if o.user != "" {
		refuse("--user: ", noServers)
	}
	return errors.Join(wrong...)
}
