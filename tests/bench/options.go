//go:build linux

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"
)

// options are the flags.
type options struct {
	cells          string
	rounds         int
	seconds        float64
	warmup         time.Duration
	threads        int
	loops          int
	report         string
	profile        bool
	memverbs       string
	old            string
	memcached      string
	memcachedProxy string
	nutcracker     string
	valkey         string
	beanstalkd     string
	stunnel        string
	ranked         string
	changes        changes
	scene          scene // of bystanders, in tests a small one
}

// parse reads the flags and refuses what can't be run. It ends the program for
// -help.
func parse(args []string) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.StringVar(&o.cells, "cell", "all", "`names` of cells or parts, with commas:\n"+describeParts())
	f.IntVar(&o.rounds, "rounds", 0, fmt.Sprintf("how often each contestant has its turn, unless a cell needs no more than %d (default %d, and %d short ones where differences are small)", sweepRounds, usualRounds, shortRounds))
	f.Float64Var(&o.seconds, "seconds", 1, "how long a turn is measured (a third of it where there are many)")
	f.DurationVar(&o.warmup, "warmup", 250*time.Millisecond, "how long the load runs before that")
	f.IntVar(&o.threads, "threads", 1, "threads that make the load")
	f.IntVar(&o.loops, "loops", max(1, runtime.GOMAXPROCS(0)/2), "event loops of memverbs, which has as many by itself, and threads of memcached's proxy")
	f.StringVar(&o.report, "report", "", "`path` of the report; unless set, tests/bench/report.md for all cells as they are and none for others")
	f.BoolVar(&o.profile, "profile", false, "show where memverbs' processor time goes under the cell named, instead of comparing")
	f.StringVar(&o.memverbs, "memverbs", "", "`path` of a memverbs that is built already; without it, the repository's is built")
	f.StringVar(&o.old, "old", fetched("memverbs-"+oldRevision, "memverbs"), "`path` of the memverbs that this one must not be slower than")
	f.StringVar(&o.memcached, "memcached", fetched("memcached-1.6.38", "memcached"), "`path` of the memcached that the proxies have behind them")
	f.StringVar(&o.memcachedProxy, "memcached-proxy", fetched("memcached-1.6.45", "memcached"), "`path` of the memcached that is a proxy")
	f.StringVar(&o.nutcracker, "nutcracker", fetched("nutcracker", "nutcracker"), "`path` of the nutcracker")
	f.StringVar(&o.valkey, "valkey", fetched("valkey", "valkey-server"), "`path` of the valkey-server")
	f.StringVar(&o.beanstalkd, "beanstalkd", fetched("beanstalkd", "beanstalkd"), "`path` of the beanstalkd")
	f.StringVar(&o.stunnel, "stunnel", fetched("stunnel", "stunnel"), "`path` of the stunnel")
	f.StringVar(&o.ranked, "ranked", "", "`path` of a ranked, which is built by hand, see the README")
	o.changes.addFlags(f)
	f.SetOutput(io.Discard)
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		f.SetOutput(os.Stdout)
		f.Usage()
		os.Exit(0)
	}
	if err == nil {
		err = o.check(f.NArg())
	}
	if err != nil {
		return nil, fmt.Errorf("%w; see -help", err)
	}
	return o, nil
}

func (o *options) check(arguments int) error {
	switch {
	case arguments > 0:
		return errors.New("everything is set by flags")
	case o.seconds <= 0 || o.threads < 1 || o.loops < 1:
		return errors.New("-seconds, -threads and -loops must be positive")
	case o.warmup < 0 || o.rounds < 0:
		return errors.New("-warmup and -rounds must not be negative")
	}
	return nil
}

// reportPath returns where the report belongs, "" if only on the terminal.
func (o *options) reportPath() string {
	if o.report == "" && o.cells == "all" && o.changes == none {
		return "tests/bench/report.md"
	}
	return o.report
}
