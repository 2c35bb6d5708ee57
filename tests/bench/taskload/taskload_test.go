//go:build linux

package taskload_test

import (
	"os"
	"testing"
	"time"

	"github.com/memverbs/memverbs/tests/bench/load"
	"github.com/memverbs/memverbs/tests/bench/taskload"
	"github.com/memverbs/memverbs/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// Workers put, take and end tasks of memverbs, and of clients that keep them by themselves.
func TestCrews(t *testing.T) {
	store := harness.StartMemcached(t, "1.6.38")
	proxy := harness.StartMemverbs(t, "--upstream", store.Addr)
	for _, of := range []struct {
		name string
		open taskload.Opener
	}{{"verbs", taskload.Verbs}, {"simple", taskload.Simple(store.Addr)}} {
		t.Run(of.name, func(t *testing.T) {
			at := load.Target{Network: "tcp", Addr: proxy.Addr}
			if err := taskload.Fill(of.open, at, 10, time.Now()); err != nil {
				t.Fatal(err)
			}
			run(t, of.open, at, taskload.Whole)
			if err := taskload.Fill(of.open, at, 10, time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			run(t, of.open, at, taskload.Look)
		})
	}
}

func run(t *testing.T, open taskload.Opener, at load.Target, job taskload.Job) {
	t.Helper()
	for length := time.Second / 2; ; length *= 2 { // until something is done, on a machine that may be busy
		crew, err := taskload.Open(open, at, 3, job)
		if err != nil {
			t.Fatal(err)
		}
		now := load.Now()
		count, err := crew.Run(load.Window{From: now, Until: now + int64(length)})
		crew.Close()
		switch {
		case err != nil, length > harness.Patience:
			t.Errorf("%d done, %v", count.Requests, err)
			return
		case count.Requests > 0:
			return
		}
	}
}
