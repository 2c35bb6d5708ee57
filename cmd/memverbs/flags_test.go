package main

import (
	"strings"
	"testing"
)

// Mistakes in flags are told all at once, each in a line.
func TestMistakesInFlags(t *testing.T) {
	t.Parallel()
	for args, says := range map[string][]string{
		"--lisen :1 --timeout 5 -loops 2 --drain=x": {
			"--lisen: there is no such flag; is --listen meant?; see --help",
			`--timeout: "5" is not a duration: use a number with ms, s, m or h, like 500ms; see --help`,
			"-loops: write --loops, with two dashes; see --help",
			`--drain: "x" is not a duration: use a number with ms, s, m or h, like 500ms; see --help`,
		},
		"--nothing-like-it=7 -x":             {"--nothing-like-it: there is no such flag; see --help", "-x: there is no such flag; see --help"},
		"--loops 0 --listen":                 {`--loops: "0" is not a whole number from 1 to 256; see --help`, "--listen needs a value after it; see --help"},
		"--verbs sad,frobnicate":             {`--verbs: no verb "sad"; is "sadd" meant?; see --help`},
		"--log-chunk 720h --log-chunks 1000": {"--log-chunk 720h0m0s times log-chunks 1000 is longer than 5 years, the most that an event log may have: lower one of them"},
		"--verbs frobnicate":                 {`--verbs: no verb "frobnicate": memverbs tells a client that sends help which there are; see --help`},
		"version":                            {`unexpected argument "version": is --version meant?`},
		"chek f":                             {`unexpected argument "chek": it is no subcommand; is "check" meant?`},
		"--user u --upstream a,a --admin :11211 --on-down spare:b --tls-cert c": {
			"--tls-key: there is no key for the certificate of tls-cert: set tls-key to the file with it",
			":11211 can't be listened on twice: --listen or --admin has 127.0.0.1:11211 too; remove one",
			"--on-down: spare:b names another pool, which takes a file: see --config",
			"user and password-file go together: set both or none",
			`--upstream: server "a:11211" is in the pool twice: expected each server once`,
		},
	} {
		var said strings.Builder
		status := run(strings.Fields(args), nil, nil, &said)
		if expected := "memverbs: " + strings.Join(says, "\nmemverbs: ") + "\n"; status != exitUsage || said.String() != expected {
			t.Errorf("%s: status %d and\n%sexpected\n%s", args, status, said.String(), expected)
		}
	}
}
