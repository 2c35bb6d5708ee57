package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/memverbs/memverbs/cmd/memverbs/manual"
	"github.com/memverbs/memverbs/cmd/memverbs/setting"
	"github.com/memverbs/memverbs/cmd/memverbs/settings"
	"github.com/memverbs/memverbs/cmd/memverbs/verify"
	"github.com/memverbs/memverbs/sharding"
)

// verification is the flags of the subcommand verify.
type verification struct {
	settings.PoolChoice
	asked          settings.Pool // the pool that the flags describe, or the file
	flags          *pflag.FlagSet
	guess          bool
	sample         int
	timeout        time.Duration
	connectTimeout time.Duration
}

func (v *verification) command() subcommand {
	return newSubcommand(manual.Manual{
		Name:  "memverbs verify",
		About: "tell whether a layout fits a pool: whether the keys that the servers hold are where it looks for them",
		Usage: []string{"memverbs verify --upstream server,... --layout name [flags]", "memverbs verify --upstream server,... --guess [flags]", "memverbs verify --config file [--pool name] [--guess]"},
		Text: "It asks each server for some of its keys (lru_crawler metadump; memcached 1.4.31 or later), and\n" +
			"changes nothing.\n" +
			"Exit status: 0 if all keys are where the layout, or the best one, looks for them, or other pools of\n" +
			"the file that have some of the servers look for theirs; 1 if not; 2 for an error,\n" +
			"and also if all keys fit but a server did not send its own; 75 or 78 if a file can't be used or is\n" +
			"wrong.",
		Groups: []manual.Group{layouts()},
	}, func(f *pflag.FlagSet) {
		v.flags = f
		v.asked.DefineFlags(f)
		v.asked.Login.Define(f)
		v.asked.ServerTLS.Define(f)
		v.PoolChoice.Define(f)
		f.BoolVar(&v.guess, "guess", false, "try all layouts and rank them by the keys that they find, instead of --layout")
		setting.Define(f, &v.sample, 10000, setting.Count(1, math.MaxInt), "sample", "how many keys to ask each server for")
		setting.Define(f, &v.timeout, 30*time.Second, setting.Duration(time.Millisecond), "timeout", "how long a server may take to send its keys")
		setting.Define(f, &v.connectTimeout, 500*time.Millisecond, setting.Duration(time.Millisecond), "connect-timeout", "how long connecting to a server may take")
	}, v.run)
}

// run tells whether a layout fits a pool.
func (v *verification) run(others []string, to streams) error {
	check, refused, err := v.check(others)
	if err != nil {
		return err
	}
	result := check.Run(context.Background())
	if err := printText(to.out, result.Report(v.guess)+refused); err != nil {
		return err
	}
	switch {
	case result.Keys() == 0:
		return errors.New("no server has sent a key, so nothing can be said of layouts")
	case !result.Fits():
		return errMisfit
	case !result.Complete():
		return errors.New("not all servers have sent their keys")
	}
	return nil
}

// check returns what the flags ask for, besides which there are no other arguments, and the lines on layouts that refuse the servers.
func (v *verification) check(others []string) (c verify.Check, refused string, err error) {
	switch {
	case len(others) > 0:
		return c, "", fmt.Errorf("unexpected argument %q: the keys are those in the servers, and a pool of a file is named by --pool; see --help", others[0])
	case v.guess && v.flags.Changed("layout"):
		return c, "", errors.New("--guess tries all layouts: leave out --layout")
	}
	p := &v.asked
	if err := v.Choose(p, v.flags, "guess", "sample", "timeout", "connect-timeout"); err != nil {
		return c, "", err
	}
	if v.flags.Changed("config") && !v.flags.Changed("connect-timeout") {
		v.connectTimeout = p.ConnectTimeout
	}
	if err := p.Login.Check(); err != nil {
		return c, "", err
	}
	if err := p.BuildTLS(); err != nil {
		return c, "", fmt.Errorf("--%w", err)
	}
	c = verify.Check{Sample: v.sample, Timeout: v.timeout, ConnectTimeout: v.connectTimeout}
	for i, dial := range p.Direct() {
		s := p.Servers[i]
		c.Servers = append(c.Servers, verify.Server{Name: s.Text, Share: s.Share(), TLS: p.Secured != nil, Dial: dial})
	}
	c.Layouts, refused, err = v.layouts()
	c.Others = v.Neighbours()
	return c, refused, err
}

// layouts returns the layouts to try, and a line for each that refuses the servers.
func (v *verification) layouts() (list []verify.Layout, refused string, err error) {
	names := []string{v.asked.Layout}
	if v.guess {
		names = sharding.Names()
	}
	var lines strings.Builder
	for _, name := range names {
		var l sharding.Layout
		if l, err = v.asked.LayoutOf(name); err != nil {
			fmt.Fprintf(&lines, "%s was not tried: %v\n", name, err)
			continue
		}
		list = append(list, verify.Layout{Name: name, Layout: l})
	}
	if len(list) == 0 {
		return nil, "", fmt.Errorf("--upstream: %w", err)
	}
	return list, lines.String(), nil
}
