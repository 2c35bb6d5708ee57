package settings

import (
	"strings"
	"testing"
)

// A wrong value is refused in one line that names the flag, quotes the value and tells what is
// expected.
func TestRefusedValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ flag, says string }{
		{"--loops=0", `--loops: "0" is not a whole number from 1 to 256`},
		{"--loops=257", `"257" is not a whole number from 1 to 256`},
		{"--loops=two", `"two" is not a whole number from 1 to 256`},
		{"--max-clients=0", `"0" is not a whole number of at least 1`},
		{"--max-clients=99999999999999999999", `is not a whole number of at least 1`},
		{"--timeout=1", `"1" is not a duration: use a number with ms, s, m or h`},
		{"--timeout=1us", `"1us" is not a duration of at least 1ms`},
		{"--drain=-1s", `"-1s" is not a duration of at least 0s`},
		{"--log-chunk=500ms", `"500ms" is not a duration of at least 1s`},
		{"--log-chunk=1500ms", `"1500ms" is not in whole seconds`},
		{"--buffer-memory=31MB", `"31MB" is not a size of at least 32MB`},
		{"--max-item-size=2GB", `"2GB" is not a size from 1KB to 1GB`},
		{"--buffer-memory=1099511627775GB", `is not a size: use a number with B, KB, MB or GB`},
		{"--buffer-memory=", `"" is not a size`},
		{"--log-format=xml", `"xml" is none of text, json`},
		{"--log-level=loud", `"loud" is none of debug, info, warn and error`},
		{"--admin=9151", `--admin: "9151" is not an address: use host:port, such as 127.0.0.1:9151, or [ipv6]:port`},
		{"--admin=host:", `"host:" is not an address: use host:port`},
		{"--admin=:99999", `":99999" is not an address, as "99999" is no port from 0 to 65535: use host:port`},
		{"--admin=:-1", `":-1" is not an address, as "-1" is no port from 0 to 65535: use host:port`},
		{"--admin=unix:", `"unix:" is a unix socket, and the admin server listens at TCP addresses only: use host:port`},
		{"--admin=unix:/tmp/x", `"unix:/tmp/x" is a unix socket, and the admin server listens at TCP addresses only: use host:port`},
		{"--layout=ring", `--layout: no layout "ring"`},
		{"--hash-tag={", `"{" is no hash tag`},
		{"--unhashed-prefix=", `"" is no prefix of keys`},
		{"--verb-keys=a b", `"a b" is not 1 to`},
		{"--upstream=a:1:0", `--upstream: server "a:1:0": weight "0" is not`},
		{`--upstream="a`, `--upstream: "\"a" can't be split at its commas`},
	} {
		_, err := NewFlags().Parse([]string{test.flag})
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, expected one line with %q", test.flag, err, test.says)
		}
	}
}

// The default of the loops can be started on every machine.
func TestDefaultLoops(t *testing.T) {
	t.Parallel()
	for cores, loops := range map[int]int{1: 1, 2: 1, 8: 4, 512: 256, 2000: 256} {
		if got := loopsFor(cores); got != loops {
			t.Errorf("with %d cores there are %d loops, expected %d", cores, got, loops)
		}
	}
}

// Lists replace their default and grow with each flag, and with each line of one.
func TestLists(t *testing.T) {
	t.Parallel()
	o := NewFlags()
	if _, err := o.Parse([]string{"--listen", ":1", "--listen", ":2", "--upstream", `a:1,"b:1"`, "--upstream", "c:1\nd:1,e:1\n\nf:1\n"}); err != nil {
		t.Fatal(err)
	}
	var servers []string
	for _, s := range o.Servers {
		servers = append(servers, s.Text)
	}
	if got := strings.Join(servers, " "); got != "a:1 b:1 c:1 d:1 e:1 f:1" {
		t.Errorf("servers %q", got)
	}
	if len(o.addresses) != 2 || o.addresses[0].String() != ":1" || o.addresses[1].String() != ":2" {
		t.Errorf("addresses %v", o.addresses)
	}
}
