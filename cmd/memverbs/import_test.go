package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memverbs/memverbs/cmd/memverbs/settings/settingstest"
)

// Every setting of twemproxy is converted, or what differs is told.
func TestImport(t *testing.T) {
	t.Parallel()
	const from = `alpha:
  listen: 127.0.0.1:22121
  hash: md5
  hash_tag: "{}"
  distribution: modula
  timeout: 400
  backlog: 1024
  client_connections: 100
  preconnect: true
  tcpkeepalive: false
  redis: false
  redis_db: 0
  redis_auth: secret
  auto_eject_hosts: true
  server_connections: 2
  server_retry_timeout: 2000
  server_failure_limit: 1
  servers:
   - 10.0.0.1:11211:1 first
   - 10.0.0.2:11211:2 second
beta.1:
  listen: /run/beta.sock 0666
  distribution: random
  slow: 1
  servers:
   - ::1:11212:1
   - /run/memcached.sock:2 third
`
	const to = `pools:
  alpha:
    # backlog: 1024: memverbs takes the system's limit
    # client_connections: 100: twemproxy 0.5.0 ignores this; memverbs has max-clients for all pools
    # auto_eject_hosts: while a server fails, twemproxy moves its keys to others; memverbs refuses them until it is back, so that no client reads stale values; with on-down: miss, gets of them are misses meanwhile, and with on-down: spare:<pool> another pool takes them
    # server_connections: 2: memverbs has one or two connections to each server for each of its loops
    # server_retry_timeout: 2000: memverbs tries to reconnect several times a second, and less often after a while
    listen: ["127.0.0.1:22121"]
    layout: twemproxy:modula:md5
    hash-tag: "{}"
    timeout: 400ms
    servers:
      - "10.0.0.1:11211:1 first"
      - "10.0.0.2:11211:2 second"
  "beta.1":
    # distribution random: twemproxy sends each request to a random server, which memverbs does not do; with ketama each key has one server
    # slow is no setting of twemproxy 0.5.0, so it is left out
    # pool beta.1 has no timeout, so twemproxy waits for ever for a server; memverbs waits for a second
    listen: ["unix:/run/beta.sock"]
    socket-mode: 0666
    layout: twemproxy:ketama:fnv1a_64
    servers:
      - "[::1]:11212:1"
      - "/run/memcached.sock:2 third"
`
	path := settingstest.Write(t, from)
	var out, errs bytes.Buffer
	if status := run([]string{"import", path}, nil, &out, &errs); status != exitOK {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	head, got, _ := strings.Cut(out.String(), "pools:\n")
	if got = "pools:\n" + got; got != to {
		t.Errorf("%s\nexpected\n%s", got, to)
	}
	if !strings.HasPrefix(head, "# Made by memverbs import from "+path) || !strings.Contains(head, "flush_all") {
		t.Errorf("the head is %q", head)
	}
	var warned []string
	for _, line := range strings.Split(strings.TrimSpace(errs.String()), "\n") {
		warned = append(warned, strings.TrimPrefix(line, path+":"))
	}
	for i, expected := range []string{"14:21: warning: auto_eject_hosts", "23:17: warning: distribution random", "24:3: warning: slow is no setting", "21:1: warning: pool beta.1 has no timeout"} {
		if i >= len(warned) || !strings.HasPrefix(warned[i], expected) {
			t.Errorf("warning %d is not %q: %q", i, expected, warned)
		}
	}
}

// The file is not written over another.
func TestImportOutput(t *testing.T) {
	t.Parallel()
	from, to := settingstest.Write(t, smallestTwemproxy), filepath.Join(t.TempDir(), "memverbs.yml")
	for _, expected := range []int{exitOK, exitUsage} {
		var out, errs bytes.Buffer
		status := run([]string{"import", from, "-o", to}, nil, &out, &errs)
		refused := strings.Contains(errs.String(), "memverbs: --output: "+to+" is there already: choose another name, or remove it\n")
		if status != expected || out.Len() > 0 || refused != (expected == exitUsage) {
			t.Errorf("status %d, %q and %q, expected %d", status, out.String(), errs.String(), expected)
		}
	}
	if text, err := os.ReadFile(to); err != nil || !strings.Contains(string(text), "twemproxy:ketama:fnv1a_64") {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// A misspelt setting is told of, also if the file can't be converted without it.
func TestImportOfAMisspeltSetting(t *testing.T) {
	t.Parallel()
	path := settingstest.Write(t, strings.Replace(smallestTwemproxy, "servers", "server", 1))
	var out, errs bytes.Buffer
	status := run([]string{"import", path}, nil, &out, &errs)
	expected := path + ":4:3: warning: server is no setting of twemproxy 0.5.0, so it is left out; is \"servers\" meant?\n" +
		path + ":1:1: pool main has no servers: add \"servers:\"\n"
	if status != exitWrongFile || out.Len() > 0 || errs.String() != expected {
		t.Errorf("status %d, %q and\n%s, expected\n%s", status, out.String(), errs.String(), expected)
	}
}

// smallestTwemproxy is a configuration of twemproxy with nothing that could be left out.
const smallestTwemproxy = "main:\n  listen: 127.0.0.1:22121\n  timeout: 1\n  servers:\n  - a:11211:1\n"
