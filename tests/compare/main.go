//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	loads     string
	rounds    int
	seconds   float64
	warmup    time.Duration
	threads   int
	loops     int
	memverbs  string
	memcached string
	alone     bool
}

func main() {
	var o options
	flag.StringVar(&o.loads, "load", "plain,pipelined", "`names` of the loads, with commas, or all:\n"+describeLoads())
	flag.IntVar(&o.rounds, "rounds", 5, "how often each contestant has its turn")
	flag.Float64Var(&o.seconds, "seconds", 2, "how long a turn is measured")
	flag.DurationVar(&o.warmup, "warmup", 500*time.Millisecond, "how long the load runs before that")
	flag.IntVar(&o.threads, "threads", 1, "threads that make the load")
	flag.IntVar(&o.loops, "loops", 0, "event loops of memverbs; 0 leaves it to memverbs")
	flag.StringVar(&o.memverbs, "memverbs", "", "`path` of a memverbs that is built already; without it, the repository's is built")
	flag.StringVar(&o.memcached, "memcached", "memcached", "`path` of the memcached")
	flag.BoolVar(&o.alone, "alone", true, "let memcached without a proxy take part")
	flag.Parse()

	// One more than the threads that make the load are enough to hold the
	// clock, and more would only get in the way of the contestants.
	runtime.GOMAXPROCS(o.threads + 1)

	ctx, stop := signal.NotifyContext(context.Background(),
		os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	err := run(ctx, &o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// run is the whole program. Nothing that it starts outlives it.
func run(ctx context.Context, o *options) error {
	loads, err := o.check()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "memverbs-compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if o.memverbs == "" {
		progress("building memverbs")
		if o.memverbs, err = buildMemverbs(ctx, folder); err != nil {
			return err
		}
	}
	fmt.Println(versions(o))
	for _, l := range loads {
		if err := compare(ctx, folder, l, o); err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
	}
	return nil
}

// check refuses what can't be run, and returns the loads asked for.
func (o *options) check() ([]*load, error) {
	if o.rounds < 1 || o.seconds <= 0 || o.warmup < 0 || o.threads < 1 || flag.NArg() > 0 {
		return nil, fmt.Errorf("-rounds, -seconds and -threads must be positive, and there are no arguments; see -help")
	}
	return findLoads(o.loads)
}

// compare runs one load and prints its table.
func compare(ctx context.Context, folder string, l *load, o *options) error {
	s, err := setStage(ctx, folder, o)
	defer s.clear()
	if err != nil {
		return err
	}
	d := newData(l)
	for _, c := range s.contestants {
		if err := d.preload(c.addr); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	t := newTable(l, s.contestants, o)
	for round := range o.rounds {
		for i, c := range s.contestants {
			f, err := turn(ctx, c, d, o)
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", c.name, err, c.process.said())
			}
			t.add(i, f)
			progress("%s, round %d of %d, %-10s  %7.0f requests/s  %6.2f µs  p99 %.2f ms  others %.0f %%",
				l.name, round+1, o.rounds, c.name, f[requests], f[cpu], f[p99], f[others])
		}
	}
	t.print(os.Stdout)
	return nil
}

// progress tells whoever waits; the tables alone are on standard output.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, time.Now().Format(time.TimeOnly)+"  "+format+"\n", args...)
}
